import { localeOf } from '#web/kit/language/languages'
import type { Translator } from './texts'

/** A moment of the API, as `2026-03-02T12:00:00.000000Z`, in words and in the time zone of the device. */
export function momentText({ language }: Translator, moment: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' })
  // Not every browser reads microseconds.
  return format.format(new Date(`${moment.slice(0, 23)}Z`))
}
