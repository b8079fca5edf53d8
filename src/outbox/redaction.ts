import { cut } from '#kernel/text'

/** The text of another service, in the form that may be stored: short, on one line, without the texts in `secrets`. */
export function redact(original: string, secrets: readonly string[] = []): string {
  let text = original
  for (const each of secrets) if (each.length > 3) text = text.replaceAll(each, '…')
  text = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  if (text.length > 200) text = `${cut(text, 199)}…`
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
