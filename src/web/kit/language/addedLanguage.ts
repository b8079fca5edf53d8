/** What the server writes of languages that its site has added, for the scripts of pages and for the service worker. */

/** Its name as its speakers write it, its direction, and where its texts are: `<folder>/<catalogue>.json`. */
export type AddedLanguage = { name: string; dir: 'ltr' | 'rtl'; folder: string }

/** By code. */
export type AddedLanguages = Readonly<Record<string, AddedLanguage>>
