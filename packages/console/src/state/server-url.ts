/** Address of this page's server, without a slash at its end. Every page stands at the root of its server. */
export const serverUrl = new URL('.', location.href).href.replace(/\/$/, '');
