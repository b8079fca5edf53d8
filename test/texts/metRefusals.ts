/**
 * Which refusals participants and people behind links can meet: every code in what the bundler keeps of the source if only the
 * operations that they may call, those of their own account and what carries all requests are used.
 */
import { join } from 'node:path'
import { Glob } from 'bun'
import { sentences } from '#kernel/refusals/sentences'
import type { OperationId } from '#web/kit/api/operations'
import { root } from '../server/process/folder'

const codes = new Set(Object.keys(sentences).map((key) => key.replace(/\.(one|other)$/, '')))

/** What every request goes through, what operations reach by their services, and operations that are made by a function. */
const COMMON = [
  'http/mount',
  'http/perform',
  'http/read',
  'http/unknownPath',
  'access/attempts',
  'access/identify',
  'access/limits',
  'outbox/serviceCalls',
  'server/health/clock',
  'storage/routes',
  'conduct/uploads/operations',
]

type Place = { file: string; name: string }

/** Where the operations are declared. */
async function places(): Promise<Map<string, Place>> {
  const found = new Map<string, Place>()
  for (const path of new Glob('src/{accounts,conduct,design,exchange,http,office}/**/*.ts').scanSync(root)) {
    const source = await Bun.file(join(root, path)).text()
    for (const [, name, id] of source.matchAll(/const (\w+)[^=\n]*= \w+\(\{\n\s+id: '(\w+)'/g))
      found.set(id!, { file: join(root, path), name: name! })
  }
  return found
}

/** The codes that these operations may refuse with. `unknown`: those whose place was not found. */
export async function codesOf(ids: readonly OperationId[]): Promise<{ codes: Set<string>; unknown: string[] }> {
  const all = await places()
  const known = ids.flatMap((id) => all.get(id) ?? [])
  const lines = [
    ...known.map(
      ({ file, name }, at) => `import { used_${name} as u${at} } from ${JSON.stringify(file)}; console.log(u${at})`,
    ),
    ...COMMON.map(
      (file, at) => `import * as c${at} from ${JSON.stringify(join(root, `src/${file}.ts`))}; console.log(c${at})`,
    ),
  ]
  const used = Map.groupBy(known, ({ file }) => file)
  const { outputs } = await Bun.build({
    entrypoints: ['entry:all'],
    target: 'bun',
    minify: { syntax: true },
    throw: true,
    plugins: [
      {
        name: 'only what is used',
        setup(build) {
          build.onResolve({ filter: /^entry:/ }, () => ({ path: 'all', namespace: 'entry' }))
          build.onLoad({ filter: /.*/, namespace: 'entry' }, () => ({ contents: lines.join('\n'), loader: 'ts' }))
          build.onResolve({ filter: /^[a-z@]/ }, ({ path, importer }) =>
            importer ? { path, external: true } : undefined,
          )
          // The catalogue itself names all codes.
          build.onResolve({ filter: /kernel\/refusals\/|^\.\/sentences/ }, () => ({
            path: '#kernel/refusals/reason',
            external: true,
          }))
          build.onLoad({ filter: /src\/.*\.ts$/ }, async ({ path }) => {
            const source = await Bun.file(path).text()
            const names = new Set(used.get(path)?.map(({ name }) => name))
            // What a declaration makes is kept only where it is used.
            const pure = source.replace(
              /^((?:export )?const \w+(?:: [^=\n]*)? = )(?=[\w.]+(<[^()\n]*>)?\()/gm,
              '$1/* @__PURE__ */ ',
            )
            const exports = [...names].map((name) => `\nexport { ${name} as used_${name} }`)
            return { contents: pure + exports.join(''), loader: 'ts' }
          })
        },
      },
    ],
  })
  const kept = (await outputs[0]!.text()).matchAll(/"((?:[^"\\\n]|\\.)*)"/g)
  return {
    codes: new Set([...kept].flatMap(([, text = '']) => (codes.has(text) ? [text] : []))),
    unknown: ids.filter((id) => !all.has(id)),
  }
}
