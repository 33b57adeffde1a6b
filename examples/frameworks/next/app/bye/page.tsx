/**
 * The Next page to which a logout leads. It begins no login.
 *
 * @module
 */

export default function Page() {
  return <p>You are logged out</p>;
}
