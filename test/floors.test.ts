import { expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/** Each room with the rooms it may import from, besides itself. Types of the services (`src/services.ts`) are free to all. */
const floors: Record<string, string[]> = {
  kernel: [],
  wire: ['kernel'],
  writers: ['kernel'],
  db: ['kernel'],
  access: ['wire', 'db', 'kernel'],
  audit: ['db', 'kernel'],
  storage: ['kernel'],
  outbox: ['db', 'kernel'],
  http: ['access', 'audit', 'db', 'wire', 'kernel'],
  jobs: ['wire', 'db', 'kernel'],
  schedule: ['features', 'jobs', 'access', 'audit', 'storage', 'outbox', 'db', 'kernel'],
  features: ['http', 'jobs', 'writers', 'access', 'audit', 'storage', 'outbox', 'wire', 'db', 'kernel'],
  config: ['kernel'],
  demo: ['kernel'],
  process: ['config', 'db', 'kernel'],
  backup: ['process', 'audit', 'storage', 'writers', 'db', 'kernel'],
}

const files = [...new Glob('**/*.{ts,tsx}').scanSync('src')].sort()
const roomOf = (file: string) =>
  file === 'config.ts' || file === 'config' ? 'config' : Object.keys(floors).find((room) => file.startsWith(`${room}/`))
const sources = await Promise.all(files.map(async (file) => ({ file, source: await Bun.file(`src/${file}`).text() })))

const imports = (source: string) =>
  [...source.matchAll(/(?:^|\n)\s*(import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'/g)].map(([, , type, from]) => ({
    type: Boolean(type),
    from: from!,
  }))

test('imports go down only', () => {
  const wrong = sources.flatMap(({ file, source }) => {
    const room = roomOf(file)
    if (!room) return []
    return imports(source).flatMap(({ from }) => {
      if (!from.startsWith('.')) return []
      const target = normalize(join(dirname(file), from))
      if (target.startsWith('../data/')) return []
      const other = roomOf(`${target}/`) ?? roomOf(target)
      if (target.startsWith('../data/') || target === '../package.json') return [] // compiled in
      if (target === 'services' || other === room || (other && floors[room]!.includes(other))) return []
      return [`${file} imports ${target}`]
    })
  })
  expect(wrong).toEqual([])
})

test('only http imports elysia, only db, access and queries import drizzle', () => {
  const wrong = sources.flatMap(({ file, source }) =>
    imports(source).flatMap(({ from }) => {
      if (/^(elysia|@elysiajs)/.test(from) && !file.startsWith('http/')) return [`${file} imports ${from}`]
      const drizzles = /^(db|access)\//.test(file) || /queries(\/[^/]+)?\.ts$/.test(file) || file.endsWith('Queries.ts')
      if (from.startsWith('drizzle-orm') && !drizzles && file !== 'jobs/queue.ts') return [`${file} imports ${from}`]
      return []
    }),
  )
  expect(wrong).toEqual([])
})

test('a feature uses another feature’s model, queries and rules, never its operations', () => {
  const wrong = sources.flatMap(({ file, source }) =>
    file.startsWith('features/')
      ? imports(source).flatMap(({ from }) => (/^\.\.\/.*\/operations/.test(from) ? [`${file} imports ${from}`] : []))
      : [],
  )
  expect(wrong).toEqual([])
})

test('only server.ts opens sockets and starts workers', () => {
  const wrong = sources.filter(({ file, source }) => /Bun\.serve\(|new Worker\(/.test(source) && file !== 'server.ts')
  expect(wrong.map(({ file }) => file)).toEqual([])
})

test('the work of jobs is loaded on worker threads only, when it is asked for', () => {
  const wrong = sources.flatMap(({ file, source }) =>
    imports(source)
      .filter(({ type, from }) => !type && /(^|\/)(w|[a-z]+W)ork$/.test(from) && !from.endsWith('jobs/work'))
      .map(({ from }) => `${file} imports ${from}`),
  )
  expect(wrong).toEqual([])
  const loading = sources.filter(({ source }) =>
    /\bwork: async \(\) => \(await import\('\.\/(w|[a-z]+W)ork'\)\)/.test(source),
  )
  expect(loading.map(({ file }) => file)).toEqual([
    'features/crf/job.ts',
    'features/generation/job.ts',
    'features/imports/job.ts',
    'features/responses/exports/job.ts',
    'features/studyRecord/job.ts',
  ])
})
