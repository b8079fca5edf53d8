/** The library of patterns, in a file of its own: the service worker knows it by this name, and keeps it where a form needs it. */
export { RE2JS } from 're2js'
