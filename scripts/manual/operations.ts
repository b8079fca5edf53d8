/** The pages of the manual that list all operations. */
import { openapi } from '#http/docs/document'
import { type AnyOperation, type CallerKind, callersOf, type Need } from '#http/operation'
import { testingOperations } from '#server/testing/operations'
import { operations } from '#start/app'
import { configurationAndData, configurationOnly, dataOnly } from '../../test/spec/locks'
import { code, NOTE, table } from './markdown'

export const all: readonly AnyOperation[] = [...operations, ...testingOperations]
export const nameOf = ({ method, path }: AnyOperation) => `${method} ${path}`

const CALLERS: Record<CallerKind, string> = {
  staff: 'staff',
  session: 'staff in the web app',
  participant: 'participant',
  anyone: 'anyone',
}

function permissionText(op: AnyOperation): string {
  const list: readonly Need[] = op.needs === 'nothing' ? [] : [op.needs].flat()
  const words = list.map((need) => (typeof need === 'string' ? code(need) : `${code(need.anywhere)} \\*`))
  if (words.length) return words.join(' or ')
  return Array.from(callersOf(op), (each) => CALLERS[each]).join(', ')
}

function notes(op: AnyOperation): string {
  const name = nameOf(op)
  const lock = configurationAndData.includes(name)
    ? 'refused under either lock'
    : configurationOnly.includes(name)
      ? 'refused while the trial is locked'
      : dataOnly.includes(name)
        ? 'refused while the database is locked'
        : ''
  return [
    lock,
    op.fresh && 'fresh confirmation',
    op.feature && `feature ${code(op.feature)}`,
    op.limit !== undefined && `${op.limit} a minute`,
    op.failures !== undefined && `${op.failures} wrong links a minute`,
    op.attempts && 'failed attempts count',
  ]
    .filter(Boolean)
    .join('; ')
}

const entryOf = ({ logs }: AnyOperation) =>
  logs === undefined ? '' : typeof logs === 'function' ? 'by its query' : code(logs)

/** The page of each area; areas that are not listed belong to the conduct of a study. */
const AREAS: Record<string, readonly string[]> = {
  accounts: [
    'Health',
    'Webhooks',
    'Fhir',
    'Sessions',
    'Setup',
    'Password resets',
    'Users',
    'Teams',
    'Uploads',
    'Jobs',
    'Test server',
  ],
  study: [
    'Trials',
    'Roles',
    'Sites',
    'Groups',
    'Data types',
    'Stages',
    'Stage groups',
    'Anchors',
    'Questionnaire library',
    'Structure',
    'Texts',
    'Translations',
    'Untranslated texts',
    'Configuration versions',
    'Consent documents',
  ],
  office: [
    ...['Central monitoring', 'Dashboard', 'Delegations', 'Enrolment', 'File reviews', 'Files', 'Incentive brands'],
    ...['Incentive rules', 'Incentives', 'Insights', 'Pack types', 'Packs', 'Randomisations', 'Site issues'],
    ...['Site monitoring', 'Trainings', 'Wallet'],
  ],
  participants: [
    'Participant app',
    'Consent',
    'Consent codes',
    'Consent sessions',
    'Consent statuses',
    'Consent withdrawals',
    'Consents',
    'Polls',
    'Shared devices',
    'Shared device links',
  ],
}

const TITLES: Record<string, string> = {
  accounts: 'Operations: accounts, the service and other programs',
  study: 'Operations: setting up a study',
  office: 'Operations: the trial office',
  conduct: 'Operations: running a study',
  participants: 'Operations: participants, and people with a link',
}

/** Operations by area: the tag of the OpenAPI document, except that the participant app has an area of its own. */
function areas(): Map<string, AnyOperation[]> {
  const { paths } = openapi(all) as { paths: Record<string, Record<string, { tags: [string] }>> }
  return Map.groupBy(all, (op) => {
    if (/^\/(participants|stage-tokens)\b/.test(op.path)) return 'Participant app'
    const [tag] = paths[op.path.replace(/:(\w+)/g, '{$1}')]![op.method.toLowerCase()]!.tags
    return tag === 'Test' ? 'Test server' : tag === 'Task lanes' ? 'Tasks' : tag
  })
}

function operationsPage(page: string): string {
  const named = Object.values(AREAS).flat()
  const list = [...areas()].filter(([area]) =>
    page === 'conduct' ? !named.includes(area) : AREAS[page]!.includes(area),
  )
  const parts = list
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([area, ops]) => {
      const rows = ops.map((op) => [code(nameOf(op)), op.summary, permissionText(op), notes(op), entryOf(op)])
      return `## ${area}\n\n${table(['operation', 'what it does', 'who, or the permission', 'conditions', 'audit entry'], rows)}`
    })
  return `${NOTE}

# ${TITLES[page]}

Fields, bounds and answers are in the OpenAPI document of the running server (\`/openapi.json\`, to try out at \`/docs\`). How to
read the columns: [the contract](contract.md#operations) and [permissions](permissions.md). \\* means that the permission on
a site or group is enough; you then see and change what belongs there.

${parts.join('\n\n')}
`
}

/** The pages by file name. */
export const operationPages = (): Record<string, string> =>
  Object.fromEntries(Object.keys(TITLES).map((page) => [`operations-${page}.md`, operationsPage(page)]))
