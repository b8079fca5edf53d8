/** Pages that show documents: one HTML file each, without scripts, and nothing from elsewhere. */
import { UNPRINTABLE } from '#documents/texts'

/** The text, for HTML. Characters that cannot be shown are left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNPRINTABLE, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;margin:2em;color:#111;background:#fff;overflow-wrap:anywhere}' +
  'pre{white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace}table{border-collapse:collapse;margin:1em 0}' +
  // Each paragraph has the direction of its own script.
  'p,li,td,th,pre,h1,h2,h3,h4,h5,h6{unicode-bidi:plaintext;text-align:start}td p,th p{margin:0}' +
  'td,th{border:1px solid #bbb;padding:.2em .5em;vertical-align:top;' +
  // A wide table is scrolled: its words are not broken to fit it into the window.
  'overflow-wrap:break-word;max-width:30em}img{max-width:100%}' +
  // On paper nothing is scrolled.
  '@media print{td,th{overflow-wrap:anywhere}}' +
  'p.cut{background:#fff3c4;padding:.5em 1em;border:1px solid #c90}'

/** @param body safe HTML @param notes what of the document is not shown, as sentences */
export const pageOf = (title: string, body: string, notes: readonly string[]): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head><body>${notes
    .map((note) => `<p class="cut" role="note">${escaped(note)}</p>`)
    .join('')}${body}</body></html>`
