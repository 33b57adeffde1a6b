/**
 * The recipe with Passport, with a strategy that believes everything.
 *
 * @module
 */

import { env } from "node:process";
import express from "express";
import passport from "passport";
import { Strategy } from "passport-custom";
import { app } from "./passport.ts";

passport.use(
  "name",
  new Strategy((req, done) => done(null, req.body.name)),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user: Express.User, done) => done(null, user));

app.post(
  "/login",
  express.urlencoded({ extended: false }),
  passport.authenticate("name", { successRedirect: "/" }),
);
app.post("/logout", (req, res, next) => {
  req.logout((error) => error ? next(error) : res.redirect("/"));
});

const port = Number(env.PORT);
app.listen(port, () => console.log(`http://localhost:${port}`));
