/**
 * The Nest application on Express, with `express-session` on all routes, or on all but those of the login.
 *
 * @module
 */

import { type MiddlewareConsumer, Module, type NestModule } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NextFunction, Request, Response } from "express";
import session from "express-session";
import { AppModule } from "./app.module.js";
import { HomeController } from "./home.controller.js";
import { MembersController } from "./members.controller.js";

const sessions = session({
  name: "views",
  secret: "a key for a test",
  resave: true,
  saveUninitialized: true,
  rolling: true,
});

function countViews(req: Request, res: Response, next: NextFunction): void {
  const data: { views?: number } = Object(req.session);
  data.views = (data.views ?? 0) + 1;
  res.setHeader("x-views", data.views);
  next();
}

@Module({ imports: [AppModule] })
class SessionModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const isBehind = process.env.LOGIN_MIDDLEWARE === "behind";
    const middlewares = consumer.apply(sessions, countViews);
    if (isBehind) middlewares.forRoutes("*path");
    else middlewares.forRoutes(HomeController, MembersController);
  }
}

async function bootstrap() {
  const app = await NestFactory.create(SessionModule);
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
