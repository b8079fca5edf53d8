/** HTML that the server writes: whatever is put into it is escaped, unless it is HTML already. */

declare const html: unique symbol
/** A text that is HTML. */
export type Html = { readonly text: string; readonly [html]: true }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] ?? each)

/** Marks a text as HTML: of our own files, or made by `markup`. */
export const asHtml = (text: string): Html => ({ text }) as Html

type Part = string | number | Html | undefined | false | readonly Part[]

const textOf = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(`${part}`)
  return 'text' in part ? part.text : part.map(textOf).join('')
}

/** A template of HTML. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  asHtml(strings.map((string, at) => string + textOf(parts[at])).join(''))
