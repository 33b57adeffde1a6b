/**
 * The Nest application with a prefix and a version in all addresses except those of the login, and a guard on all other routes.
 *
 * @module
 */

import { type ExecutionContext, VersioningType } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module.js";
import { LoginController } from "./login.controller.js";
import { loginPaths } from "./login.js";

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.setGlobalPrefix("site", { exclude: loginPaths });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: "1" });
  app.useGlobalGuards({
    canActivate: (context: ExecutionContext) => context.getClass() === LoginController,
  });
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
