/** Which files a device keeps for when there is no connection. */
import type { Offline } from '#web/kit/frontEnd'
import { builtIn } from '#web/kit/language/languages'
import { addressOf, filesOfTexts, type Outputs } from './outputs'

/** Groups of parts that not every device keeps, each with its sources. The service worker keeps them where they are needed. */
type Groups = readonly (readonly [group: string, sources: readonly string[]])[]

/** Those of a front end: what it says, and its texts in each language other than English. */
export const groupsOf = ({ some, laterTexts }: Offline, texts: readonly string[]): Groups => [
  ...Object.entries(some),
  ...Object.keys(builtIn).flatMap(
    (each): Groups => (each === 'en' ? [] : [[each, filesOfTexts([...texts, ...laterTexts], each)]]),
  ),
]

/** Whether a source is one of these: a file, or in a folder or package. */
const isAmong = (source: string, sources: readonly string[]): boolean =>
  sources.some((each) => source === each || source.startsWith(`${each}/`) || source.startsWith(`node_modules/${each}/`))

/** `kept`: by every device. `some`: names of files in `/web/`, by group. */
export type OfflineFiles = { kept: readonly string[]; some: Readonly<Record<string, readonly string[]>> }

/** What is needed without a connection: these files, and every module that they may ever load. @param more paths that are no outputs */
export function offlineFiles(
  first: readonly string[],
  outputs: Outputs,
  groups: Groups,
  [page, ...more]: readonly [string, ...string[]],
): OfflineFiles {
  const kept = new Set<string>()
  const some = new Map(groups.map(([group]) => [group, new Set<string>()]))
  const add = (path: string, into?: Set<string>): void => {
    const output = outputs.get(path)
    if (!output || kept.has(path) || into?.has(path)) return
    const [group] = groups.find(([, sources]) => isAmong(output.source, sources)) ?? []
    const found = (group !== undefined ? some.get(group) : undefined) ?? into ?? kept
    if (found.has(path)) return
    found.add(path)
    for (const { path: each } of output.imports) add(addressOf(each), found === kept ? undefined : found)
  }
  for (const path of first) add(path)
  const names = (found: Set<string>) =>
    [...found]
      .filter((path) => !kept.has(path))
      .map((path) => path.replace('/web/', ''))
      .sort()
  return {
    kept: [page, ...[...kept, ...more].sort()],
    some: Object.fromEntries([...some].map(([group, found]) => [group, names(found)])),
  }
}
