/**
 * The module of a Nest application with a login.
 *
 * @module
 */

import { Module } from "@nestjs/common";
import { HomeController } from "./home.controller.js";
import { LoginController } from "./login.controller.js";
import { MembersController } from "./members.controller.js";

@Module({
  controllers: [LoginController, HomeController, MembersController],
})
export class AppModule {}
