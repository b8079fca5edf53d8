/** The pages of the manual that list every refusal with its code, from the catalogue. */
import { access } from '#kernel/refusals/access'
import { accounts } from '#kernel/refusals/accounts'
import { conduct } from '#kernel/refusals/conduct'
import { consents } from '#kernel/refusals/consents'
import { design } from '#kernel/refusals/design'
import { exchange } from '#kernel/refusals/exchange'
import { files } from '#kernel/refusals/files'
import { general } from '#kernel/refusals/general'
import { office } from '#kernel/refusals/office'
import { packs } from '#kernel/refusals/packs'
import { randomisation } from '#kernel/refusals/randomisation'
import { server } from '#kernel/refusals/server'
import { stages } from '#kernel/refusals/stages'
import { values } from '#kernel/refusals/values'
import { wearables } from '#kernel/refusals/wearables'
import { NOTE, table } from './markdown'

type Catalogue = Readonly<Record<string, string>>
type Page = { title: string; parts: Readonly<Record<string, Catalogue>> }

const MAIN = 'refusals.md'
const pages: Readonly<Record<string, Page>> = {
  [MAIN]: {
    title: 'Refusals: what any operation may answer',
    parts: { 'Any operation': general, 'Values of fields': values },
  },
  'refusals-accounts.md': {
    title: 'Refusals: accounts and permissions',
    parts: { 'Accounts, sign-ins and keys': accounts, 'Permissions, limits and features': access },
  },
  'refusals-design.md': {
    title: 'Refusals: setting up a study',
    parts: { 'Setting up a study': design, 'Stages, fields and expressions': stages },
  },
  'refusals-conduct.md': {
    title: 'Refusals: running a study',
    parts: { 'Running a study': conduct, Consents: consents, Wearables: wearables },
  },
  'refusals-office.md': {
    title: 'Refusals: the trial office',
    parts: { 'The trial office': office, 'Randomisation and dispensing': randomisation, Packs: packs },
  },
  'refusals-exchange.md': {
    title: 'Refusals: imports, exports, files and the server',
    parts: { 'Imports, exports and everything in bulk': exchange, Files: files, 'The server and its jobs': server },
  },
}

/** Each code once: the forms for one and for several are one row. */
function rowsOf(catalogue: Catalogue): string[][] {
  const byCode = Map.groupBy(Object.keys(catalogue), (key) => key.replace(/\.(one|other)$/, ''))
  return [...byCode]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, keys]) => [
      `\`${code}\``,
      keys.map((key) => catalogue[key]!.replaceAll('<', '&lt;').replaceAll('*', '\\*')).join(' / '),
    ])
}

const linkTo = (name: string): string => `[${pages[name]!.title.replace('Refusals: ', '')}](${name})`

const introduction = (name: string): string =>
  name === MAIN
    ? `How an error is written: [the contract](contract.md#errors). \`details.code\` does not change, and \`details.params\` has the values of
the sentence by name; \`message\` may be worded better one day. A sentence with two forms has a \`count\`, which chooses.

Codes by subject: ${Object.keys(pages).slice(1).map(linkTo).join(', ')}.`
    : `More: [refusals that any operation may give](${MAIN}). How an error is written: [the contract](contract.md#errors).`

/** The pages by file name. */
export const refusalPages = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pages).map(([name, { title, parts }]) => {
      const tables = Object.entries(parts)
        .filter(([, catalogue]) => Object.keys(catalogue).length)
        .map(([heading, catalogue]) => `## ${heading}\n\n${table(['code', 'message'], rowsOf(catalogue))}`)
      return [name, `${[NOTE, `# ${title}`, introduction(name), ...tables].join('\n\n')}\n`]
    }),
  )
