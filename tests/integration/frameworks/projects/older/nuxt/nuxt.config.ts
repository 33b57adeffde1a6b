export default defineNuxtConfig({
  compatibilityDate: "2026-06-01",
  // The folders of Nuxt 4.
  future: { compatibilityVersion: 4 },
});
