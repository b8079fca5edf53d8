/** Which language of a trial a person is answered in (docs/translations.md). */
import { languageVariants } from '#kernel/template'

/** The values of a header such as `Accept-Language`, those with the highest `q` first; without those that are refused. */
export function preferences(header: string | null): string[] {
  return (header ?? '')
    .split(',', 50)
    .map((item) => {
      const [value = '', ...parameters] = item.split(';').map((each) => each.trim())
      const q = parameters.find((each) => /^q=/i.test(each))?.slice(2)
      return { value, q: q === undefined ? 1 : Number(q) || 0 }
    })
    .filter(({ value, q }) => value !== '' && q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ value }) => value)
}

/** The language of the list that fits best: the same, else a wider one (`de` for `de-CH`), else a variant (`pt-BR` for `pt`). */
function bestLanguage(wanted: string, languages: readonly string[]): string | undefined {
  const all = languages.map((language) => [language, language.toLowerCase()] as const)
  for (const each of languageVariants(wanted.toLowerCase())) {
    const found = all.find(([, language]) => language === each)
    if (found) return found[0]
  }
  return all.find(([, language]) => language.startsWith(`${wanted.toLowerCase()}-`))?.[0]
}

/**
 * The language of a trial for a person: that of the participant, else the best that the device asks for, else the first. Null
 * for a trial without languages.
 */
export function languageForReader(
  languages: readonly string[],
  own: string | null | undefined,
  accepted: string | null = null,
): string | null {
  for (const wanted of [...(own ? [own] : []), ...preferences(accepted)]) {
    const found = bestLanguage(wanted, languages)
    if (found) return found
  }
  return languages[0] ?? null
}
