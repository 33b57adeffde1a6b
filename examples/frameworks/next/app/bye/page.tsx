/**
 * The Next page after a logout. It does not begin a login.
 *
 * @module
 */

export default function Page() {
  return <p>You are logged out</p>;
}
