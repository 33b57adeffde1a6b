import { signIn, signOut, useSession } from "next-auth/react";

export default function Page() {
  const { data: session } = useSession();
  if (session) {
    return <button type="button" onClick={() => signOut()}>Log out, {session.user.name}</button>;
  }
  return <button type="button" onClick={() => signIn("discord")}>Log in</button>;
}
