/** The language of texts that the study team wrote: it may be another than that of the page, which screen readers must know. */
import { signal } from '@preact/signals-core'

/** The languages of the study's texts in an answer, as the server names them. */
export type TextLanguages = {
  /** Null where the study names no language. */
  language: string | null
  /** That of texts without a translation. */
  source: string | null
  untranslated: readonly string[]
  /** That of what is written to the person. */
  messages?: string | null
}

type LanguageState = Omit<TextLanguages, 'untranslated'> & { untranslated: ReadonlySet<string> }

const languageState = signal<LanguageState>({ language: null, source: null, untranslated: new Set() })

/** Notes the languages that an answer names. Those of other answers in the same language are still known. */
export function noteLanguages({ language, source, untranslated, messages }: TextLanguages): void {
  const before = languageState.peek()
  const isSame = before.language === language && before.source === source
  const all = new Set([...(isSame ? before.untranslated : []), ...untranslated])
  const written = messages === undefined ? before.messages : messages
  if (isSame && all.size === before.untranslated.size && written === before.messages) return
  languageState.value = { language, source, untranslated: all, ...(written === undefined ? {} : { messages: written }) }
}

/** The attribute `lang` of a text: empty if the language is unknown, since it may differ from that of the page. */
export function languageOfText(text: string | null | undefined): string {
  const { language, source, untranslated } = languageState.value
  return (typeof text === 'string' && untranslated.has(text) ? source : language) ?? ''
}

/** The attributes of an element with a text of the study: each begins where its own language begins. */
export const studyText = (text: string | null | undefined) => ({ lang: languageOfText(text), dir: 'auto' }) as const

/** Those of what somebody wrote to the person: messages, appointments. */
export const personalText = () =>
  ({ lang: languageState.value.messages ?? languageState.value.language ?? '', dir: 'auto' }) as const

/** Stores the languages of the texts in an answer, if the answer names them. */
export function noteAnswerLanguages(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || !('texts' in answer)) return
  const { texts } = answer as { texts: TextLanguages | undefined }
  if (Array.isArray(texts?.untranslated)) noteLanguages(texts)
}
