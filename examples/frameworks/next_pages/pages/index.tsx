/**
 * A page of Next's Pages Router for people who are logged in.
 *
 * @module
 */

import { toRequest } from "@guildpass/sdk/node";
import type { GetServerSideProps } from "next";
import { getLogin } from "@/login";

export const getServerSideProps: GetServerSideProps = async (
  { req, res, resolvedUrl },
) => {
  const session = await getLogin().session(toRequest(req, res));
  const destination = `/api/auth/login?returnTo=${
    encodeURIComponent(resolvedUrl)
  }`;
  if (!session) return { redirect: { destination, permanent: false } };
  return { props: { username: session.user.username } };
};

export default function Page({ username }: { username: string }) {
  return <p>{`Hello, ${username}`}</p>;
}
