export default defineNuxtConfig({ modules: ["nuxt-auth-utils"] });
