/**
 * Starts a Nest application on Express.
 *
 * @module
 */

import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module.js";

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  const port = process.env.PORT ?? 3000;
  await app.listen(port);
  console.log(`http://localhost:${port}`);
}
void bootstrap();
