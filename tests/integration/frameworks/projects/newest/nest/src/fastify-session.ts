/**
 * The Nest application on Fastify, with `@fastify/session` on all routes.
 *
 * @module
 */

import cookie from "@fastify/cookie";
import session from "@fastify/session";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { AppModule } from "./app.module.js";

async function bootstrap() {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());
  await app.register(cookie);
  await app.register(session, {
    cookieName: "views",
    secret: "a key for a test, of 32 characters",
    cookie: { secure: false },
  });
  app.getHttpAdapter().getInstance().addHook("preHandler", (request, reply, done) => {
    const data: { views?: number } = Object(request.session);
    data.views = (data.views ?? 0) + 1;
    reply.header("x-views", data.views);
    done();
  });
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
