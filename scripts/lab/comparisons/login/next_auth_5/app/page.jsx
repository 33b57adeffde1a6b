import { auth, signIn, signOut } from "../auth.js";

export default async function Page() {
  const session = await auth();
  async function logIn() {
    "use server";
    await signIn("discord");
  }
  async function logOut() {
    "use server";
    await signOut();
  }
  if (session) {
    return (
      <form action={logOut}>
        <button type="submit">Log out, {session.user.name}</button>
      </form>
    );
  }
  return (
    <form action={logIn}>
      <button type="submit">Log in</button>
    </form>
  );
}
