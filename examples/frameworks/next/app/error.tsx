/**
 * The Next page that replaces another page after an error.
 *
 * @module
 */

"use client";

export default function ErrorPage() {
  return <p>This page does not work at the moment</p>;
}
