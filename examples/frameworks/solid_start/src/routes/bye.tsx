/**
 * The SolidStart page after a logout. It does not begin a login.
 *
 * @module
 */

export default function Bye() {
  return <p>You are logged out</p>;
}
