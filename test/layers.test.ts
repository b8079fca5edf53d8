/** The layers of the sources: imports go down only, files form no cycle, SQL and operations are in their files. */
import { expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/**
 * The folders from top to bottom: a file may import from its own folder and from those after it. In a wing the nouns
 * are in order, and in a noun its rooms (`noun/room`); above them are the files that define operations, which only the
 * list of operations imports.
 */
const folders: readonly (readonly [folder: string, ...nouns: string[]])[] = [
  ['start'],
  ['cli', '', 'foodImport', 'walkthrough'],
  ['server', '', 'testing', 'background', 'backup', 'metrics', 'health', 'secrets', 'tls', 'process', 'config'],
  [
    'web',
    '',
    'manual',
    'trust',
    'languages',
    'serving',
    'worker',
    'links',
    'console',
    'participant',
    'site',
    'form',
    'kit',
  ],
  ['wings'],
  [
    'exchange',
    'operations',
    'demo',
    'generation',
    'generation/reader',
    'generation/text',
    'fhir',
    'secondRequests',
    'deletions',
    'personalData',
    'hardwareArchive',
    'studyRecord',
    'consentExports',
    'translations',
    'imports',
    'imports/write',
    'imports/odm',
    'imports/redcap',
    'imports/xlsform',
    'imports/common',
    'exportDefinitions',
    'exports/work',
    'exports/odm',
    'exports/sdtm',
    'exports/casebooks',
    'exports/packages',
    'exports/datasets',
    'exports',
    'crf',
    'reads',
    'logs',
  ],
  [
    'office',
    'operations',
    'masterFile',
    'monitoring/reports',
    'webhookDeliveries',
    'webhooks',
    'dashboard',
    'insights/texts',
    'centralMonitoring',
    'insights/trial',
    'insights',
    'statistics',
    'incentives/vouchers',
    'incentives/rules',
    'incentives',
    'incentives/brands',
    'incentives/wallet',
    'packs/records',
    'dispensations',
    'allocations',
    'randomisation',
    'allocationMethods',
    'files/texts',
    'files/previews',
    'files/checklist',
    'files/search',
    'files/approvals',
    'files/versions',
    'files',
    'files/words',
    'siteIssues',
    'monitoring',
    'delegation',
    'training',
    'enrolment',
    'siteRecords',
    'packs/assignments',
    'packs',
    'packs/index',
    'packs/events',
    'packs/types',
    'communication',
    'siteMessages',
  ],
  [
    'conduct',
    'operations',
    'consents/withdrawals',
    'personalData',
    'foodDiary',
    'wearables/imports',
    'wearables/imports/readers',
    'wearables',
    'wearables/providers',
    'calendar',
    'meetingRooms',
    'appointments',
    'notes',
    'participantResources',
    'consents/signing',
    'stageTokens',
    'sharedDevices',
    'polls',
    'screening',
    'heldEntries',
    'review',
    'uploads',
    'queries/automatic',
    'queries',
    'signatures',
    'responses',
    'tasks',
    'participantSessions',
    'consents',
    'contactCodes',
    'timeline',
    'notifications',
    'messages',
    'participants/listExport',
    'participants',
  ],
  [
    'design',
    'operations',
    'trials/changes',
    'stages/files',
    'stages/creation',
    'translations/files',
    'participantResources',
    'generation',
    'structures',
    'studyRecord',
    'jobs',
    'configurationVersions',
    'consentForms',
    'questionnaires',
    'configuration',
    'hiddenFields',
    'stageGroups',
    'anchors',
    'roles',
    'groups',
    'sites',
    'deletions',
    'secondRequests',
    'forms',
    'stages',
    'schedule',
    'dataTypes',
    'dataTypes/grammar',
    'trials',
    'translations',
    'foods',
  ],
  ['accounts', 'operations', 'sessions', 'teams', 'users'],
  ['http', 'operations', 'client', 'docs', ''],
  ['jobs'],
  ['outbox'],
  ['storage'],
  ['access'],
  ['audit'],
  ['documents', 'archives', ''],
  ['writers'],
  ['texts'],
  ['db'],
  ['wire'],
  ['kernel'],
]

const order = folders.flatMap(([folder, ...nouns]) =>
  nouns.length ? nouns.map((noun) => (noun ? `${folder}/${noun}` : folder)) : [folder],
)

type File = { path: string; source: string; imports: string[] }

/** The specifiers of all imports of a source: types and dynamic imports too. */
const specifiers = (source: string): string[] =>
  [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier!)

const paths = [...new Glob('**/*.{ts,tsx}').scanSync('src')].filter((path) => !path.endsWith('.d.ts')).sort()
const known = new Set(paths)

/** The source file that a specifier names; undefined for a package, a compiled-in file and the like. */
function target(from: string, specifier: string): string | undefined {
  if (!/^[.#]/.test(specifier)) return undefined
  const path = specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(from), specifier))
  return [path, `${path}.ts`, `${path}.tsx`].find((each) => known.has(each))
}

const files: File[] = await Promise.all(
  paths.map(async (path) => {
    const source = await Bun.file(`src/${path}`).text()
    const imports = specifiers(source).flatMap((specifier) => target(path, specifier) ?? [])
    return { path, source, imports: [...new Set(imports)] }
  }),
)

const definesOperation = new Set(
  files.flatMap(({ path, source }) => (/(?<!function |const )\boperation(<[^(]*>)?\(\{/.test(source) ? [path] : [])),
)

/** The entry of the list that a file belongs to: its room, else its noun, else its folder; undefined if it has none. */
function folderOf(path: string): string | undefined {
  const [top, ...rest] = path.replace(/\.tsx?$/, '').split('/')
  if (definesOperation.has(path) && order.includes(`${top}/operations`)) return `${top}/operations`
  if (order.includes(top!) && !order.some((each) => each.startsWith(`${top}/`))) return top
  const inside = rest.slice(0, -1)
  const entries = [3, 2, 1].map((depth) => [top, ...inside.slice(0, depth)].join('/'))
  return [...entries, ...(inside.length ? [] : [top!])].find((each) => order.includes(each))
}

test('every file is in a folder of the list', () => {
  expect(files.flatMap(({ path }) => (folderOf(path) ? [] : [path]))).toEqual([])
})

test('every room of a noun is in the list, so that rooms form no circle either', () => {
  const wings = ['exchange', 'office', 'conduct', 'design', 'accounts']
  const rooms = paths.filter((path) => wings.includes(path.split('/')[0]!) && !definesOperation.has(path)).map(dirname)
  expect([...new Set(rooms)].filter((room) => !order.includes(room))).toEqual([])
})

test('imports go down only', () => {
  const rank = (path: string) => order.indexOf(folderOf(path)!)
  const up = files.flatMap(({ path, imports }) =>
    imports.flatMap((other) => (rank(other) < rank(path) ? [`${path} imports ${other}`] : [])),
  )
  expect(up).toEqual([])
})

test('imports between folders are written with #, within a folder with ./', () => {
  const wrong = files.flatMap(({ path, source }) =>
    specifiers(source).flatMap((specifier) => {
      const other = target(path, specifier)
      if (!other) return []
      const isNear = dirname(other) === dirname(path)
      return isNear === specifier.startsWith('./') ? [] : [`${path} imports ${specifier}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('imports form no cycle, imports of types included', () => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) return void circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path)) return
    for (const other of byPath.get(path)!.imports) walk(other, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) walk(path, [])
  expect(circles).toEqual([])
})

test('a file that defines an operation is imported by the lists of operations only', () => {
  expect(definesOperation.size).toBeGreaterThan(30)
  const lists = new Set([
    'start/app.ts',
    'start/offeredOperations.ts',
    'start/operationRows.ts',
    'start/program.ts',
    'server/testing/operations.ts',
  ])
  const wrong = files.flatMap(({ path, imports }) =>
    lists.has(path) || path.startsWith('wings/')
      ? []
      : imports.filter((each) => definesOperation.has(each)).map((each) => `${path} imports ${each}`),
  )
  expect(wrong).toEqual([])
})

test('SQL is in db and in files called store only', () => {
  const isStore = (path: string) => path.startsWith('db/') || /(^|\/)(store|\w+Store)\.ts$/.test(path)
  const sql =
    /from 'drizzle-orm|\.query(<[^;]*?>)?\(\s*[`'"]|\.prepare\(|\$client|sqlite\.run\(|new Database\(|\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA) |\bdb\.(select|insert|update|delete|run|all|get)\(/
  expect(files.flatMap(({ path, source }) => (!isStore(path) && sql.test(source) ? [path] : []))).toEqual([])
})

test('only http imports elysia', () => {
  const wrong = files.filter(({ path, source }) => !path.startsWith('http/') && /from '(elysia|@elysiajs)/.test(source))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('sockets are opened in one file, workers started in one', () => {
  const having = (pattern: RegExp) => files.flatMap(({ path, source }) => (pattern.test(source) ? [path] : []))
  expect(having(/Bun\.serve\(/)).toEqual(['server/listen.ts'])
  expect(having(/new Worker\(/)).toEqual(['start/spawnWorker.ts'])
})
