/**
 * The SolidStart page to which a logout leads. It begins no login.
 *
 * @module
 */

export default function Bye() {
  return <p>You are logged out</p>;
}
