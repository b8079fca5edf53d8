/** pandas and R read an export from a running server in one line, as docs/exports.md shows ("In one line"). */
import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { world } from '../../harness'
import { hasPython } from '../../writers/folder'
import { study } from './exportStudy'

const hasR = (() => {
  try {
    return Bun.spawnSync(['Rscript', '--version']).exitCode === 0
  } catch {
    return false
  }
})()
if (!hasR && process.env.CI === 'true') throw new Error('Rscript is needed on CI.')

const TEXT = '=1; "a"\nÜ😀'

async function served<T>(use: (url: string, key: string) => Promise<T>): Promise<T> {
  const here = world()
  const of = study(here)
  const note = of.field('note')
  const stage = of.stage('Visit', [note])
  await of.submit(of.participant('P-1'), stage, { [note]: TEXT })
  const server = listen(here.service, { host: '127.0.0.1', port: 0 })
  try {
    const origin = `http://127.0.0.1:${server.port}`
    here.service.services.publicUrl = origin
    return await use(`${origin}/trials/${of.trial}/responses`, here.owner.credentials.Authorization!)
  } finally {
    await server.stop()
  }
}

async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(err)
  return out
}

const python = `
import json, pandas, sys
url, key = sys.argv[1:]
options = lambda accept: {"Authorization": key, "Accept": accept}
frames = [
  pandas.read_csv(f"{url}?type=csv&escape=none", storage_options=options("text/csv")),
  pandas.read_excel(f"{url}?type=excel", storage_options=options("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
]
print(json.dumps([frame["note"].tolist() for frame in frames]))
`

test.skipIf(!hasPython('pandas'))('pandas reads a csv and a workbook', () =>
  served(async (url, key) => {
    expect(JSON.parse(await run('/usr/bin/python3', '-c', python, url, key))).toEqual([[TEXT], [TEXT]])
  }),
)

const r = `
args <- commandArgs(TRUE)
found <- read.csv(url(paste0(args[1], "?type=csv&escape=none"), headers = c(Authorization = args[2], Accept = "text/csv"), encoding = "UTF-8"))
cat(enc2utf8(found$note))
`

test.skipIf(!hasR)('R reads a csv', () =>
  served(async (url, key) => {
    expect(await run('Rscript', '-e', r, url, key)).toBe(TEXT)
  }),
)
