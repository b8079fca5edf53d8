/** A master file whose documents are read, and searches in it. */
import type { Id } from '#kernel/id'
import type { Person } from '../../../harness'
import { until } from '../../../until'
import { previews } from '../previews/documents'

export type Master = Awaited<ReturnType<typeof previews>>

/** Waits until nothing is left to read, to put into the index, or to take out of it. */
export async function workDone({ db, service, now }: Pick<Master, 'db' | 'service' | 'now'>): Promise<void> {
  const left = db.$client.query<{ n: number }, [number]>(
    `SELECT (SELECT count(*) FROM masterFileVersionTexts WHERE dueAt <= ?) +
       (SELECT count(*) FROM cursors WHERE name LIKE 'masterFile%Words' OR name = 'masterFileWordsRebuilt') AS n`,
  )
  const at = new Date(now()).getTime() * 1000
  await until(async () => {
    await service.services.tick()
    return left.get(at)!.n === 0
  })
}

export async function searching() {
  const m = await previews()
  return {
    ...m,
    read: () => workDone(m),
    /** The names of the files that are found, in order. */
    async found(search: string, by: Person = m.owner, more = ''): Promise<string[]> {
      const { files } = await by.get<'listFiles'>(`${m.all}?search=${encodeURIComponent(search)}${more}`)
      return files.map(({ name }) => name)
    },
    /** Where the words were in the first file that is found, with what is marked. */
    async match(search: string, by: Person = m.owner) {
      const { files } = await by.get<'listFiles'>(`${m.all}?search=${encodeURIComponent(search)}`)
      const { in: where, version, text, marks } = files[0]!.match!
      return [where, version, text, marks.map(({ from, to }) => text.slice(from, to))] as const
    },
    /** A new file with these versions, which are texts. The last status counts for the last text. */
    async document(
      name: string,
      texts: string[],
      { status = [], ...fields }: { status?: string[]; site?: Id; tags?: string[] } = {},
    ) {
      const { _id } = await m.add({ name, ...fields })
      for (const [at, text] of texts.entries()) {
        const of = fields.site === undefined ? {} : { forType: 'site', forId: fields.site }
        const storedName = await m.upload(text, { name: 'a.txt', ...of })
        await m.owner.do('createFileVersion', _id, { storedName, status: status[at] ?? 'draft' })
      }
      return _id
    },
    states: async (file: Id) => (await m.owner.do('readFile', file)).versions.map(({ textState }) => textState),
  }
}
