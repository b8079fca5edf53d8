/** One large file over HTTP. Ours also checks its size and SHA-256 while it uploads, and flushes it to the disk. */
import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idle, memory } from '../accounting'
import { comparison, comparisonTable, type Table } from '../figures'
import { freshFolder, removeFolder, type Settings, start } from '../run'
import { builtExecutables } from '../servers'

type Figures = { seconds: number[]; growth: number[] }
const noFigures = (): Figures => ({ seconds: [], growth: [] })

/** Performs one transfer; notes how long it took, and by how much the memory of the server grew at most. */
async function transfer({ seconds, growth }: Figures, pid: number, work: () => Promise<void>): Promise<void> {
  await idle(pid)
  const before = memory('VmRSS', pid)
  const begin = performance.now()
  await work()
  seconds.push((performance.now() - begin) / 1000)
  growth.push(memory('VmHWM', pid) - before)
}

async function put(url: string, source: string): Promise<void> {
  const answer = await fetch(url, { method: 'PUT', body: Bun.file(source), headers: { 'Content-Type': 'video/mp4' } })
  if (!answer.ok) throw new Error(await answer.text())
}

async function get(url: string, size: number): Promise<void> {
  const answer = await fetch(url)
  let count = 0
  for await (const chunk of answer.body!) count += chunk.length
  if (count !== size) throw new Error(`${url} has ${count} bytes`)
}

/** Links to upload a film of a participant, and to download it once it is the answer of a form. */
async function linksOf({ url, apiKey, team }: { url: string; apiKey: string; team: string }, size: number) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  type CreatedRecord = { _id: string }
  const { _id: trial } = await call<CreatedRecord>('POST', `/teams/${team}/trials`, { name: 'Films' })
  const type = await call<CreatedRecord>('POST', `/trials/${trial}/data-types`, {
    name: 'Film',
    code: 'film',
    format: 'video',
  })
  const components = [{ id: 'film', dataType: type._id, title: 'Film' }]
  const stage = await call<CreatedRecord>('POST', `/trials/${trial}/stages`, { name: 'Visit', components })
  const participant = await call<CreatedRecord>('POST', `/trials/${trial}/participants`, { participantId: 'P-1' })
  const query = `name=a.mp4&size=${size}&type=video/mp4&forType=participant&forId=${participant._id}`
  type Link = { signedRequestURL: string; fileName: string }
  const { signedRequestURL, fileName } = await call<Link>('GET', `/uploads/video/request?${query}`)
  const download = async () => {
    const path = `/trials/${trial}/participants/${participant._id}/responses/${stage._id}`
    type ReadResponse = { response: Record<string, { url: string }> }
    const read = await call<ReadResponse>('PUT', path, {
      response: { [type._id]: { value: { name: 'a.mp4', fileName } } },
    })
    return read.response[type._id]!.url
  }
  return { upload: signedRequestURL, download }
}

export async function files({ quick, rounds }: Settings): Promise<Table[]> {
  const size = (quick ? 0.125 : 5) * 1024 ** 3
  const folder = freshFolder()
  const { trialbox, bare } = await builtExecutables()
  const [source, target] = [join(folder, 'source'), join(folder, 'target')]
  writeFileSync(source, '')
  truncateSync(source, size)
  const uploads = { floor: noFigures(), ours: noFigures() }
  const downloads = { floor: noFigures(), ours: noFigures() }
  for (let round = 0; round < rounds; round++) {
    const floor = await start([bare, target])
    const floorUrl = `${/http:\S+/.exec(floor.out)![0]}/target`
    await transfer(uploads.floor, floor.pid, () => put(floorUrl, source))
    if (statSync(target).size !== size) throw new Error('the floor did not take the whole file')
    await transfer(downloads.floor, floor.pid, () => get(floorUrl, size))
    await floor.stop()

    const server = await start([trialbox, 'serve', '--test', '--port', '0'], 'ignore')
    const links = await linksOf(JSON.parse(server.out), size)
    await transfer(uploads.ours, server.pid, () => put(links.upload, source))
    const url = await links.download()
    await transfer(downloads.ours, server.pid, () => get(url, size))
    await server.stop()
  }
  removeFolder(folder)
  const megabytes = size / 1024 ** 2
  const rowsOf = (name: string, { floor, ours }: typeof uploads) => [
    comparison(`${name} of ${megabytes} MB: time`, ' s', floor.seconds, ours.seconds),
    comparison(`${name} of ${megabytes} MB: growth of memory`, ' MB', floor.growth, ours.growth, {
      value: { most: 30 },
    }),
  ]
  return [comparisonTable('A large file', [...rowsOf('upload', uploads), ...rowsOf('download', downloads)])]
}
