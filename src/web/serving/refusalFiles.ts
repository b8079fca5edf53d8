/** The refusals in other languages than English, as files that pages load when something was refused (`kit/refusals/files.ts`). */
import { refusalTexts } from '#texts/refusals/catalogue'
import { digest } from './digest'

const files = Object.entries(refusalTexts).map(([language, parts]) => {
  const written = parts.map((texts, at): [name: string, bytes: Uint8Array] => {
    const bytes = Buffer.from(JSON.stringify(texts))
    return [`refusals-${language}${at || ''}-${digest(bytes)}.json`, bytes]
  })
  return [language, written] as const
})

export const refusalFiles = {
  /** Their names in `/web/` by language, in the order in which they are loaded. */
  names: Object.fromEntries(files.map(([language, parts]) => [language, parts.map(([name]) => name)])),
  contents: files.flatMap(([, parts]) => parts),
}
