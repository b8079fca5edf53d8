/** The server of the floors of submissions: Elysia with its own validation, which looks up the key and the participant. */
import { createHash } from 'node:crypto'
import { Elysia, type Static, t } from 'elysia'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const Submission = t.Object({
  response: t.Record(t.String(), t.Object({ value: t.Unknown() })),
  updateNote: t.Optional(t.String()),
})

type Floor<Known, Person> = {
  /** Whose key has this hash; null if there is none. */
  key(hash: string): Known | null
  participant(_id: string): Person | null
  /** Writes the submission, and returns its `_id` when it is on disk. */
  write(known: Known, participant: Person, body: Static<typeof Submission>): Promise<number | string>
}

/** Serves a floor on a free port, and prints it. */
export function serveFloor<Known, Person>({ key, participant, write }: Floor<Known, Person>): void {
  const app = new Elysia().put(
    '/trials/:trial/participants/:participant/responses/:stage',
    async ({ params, body, headers, status }) => {
      const known = key(sha256(headers.authorization?.slice(7) ?? ''))
      if (!known) return status(401)
      const person = participant(params.participant)
      if (!person) return status(404)
      return { _id: await write(known, person, body), ...body }
    },
    { body: Submission },
  )
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
  console.log(`listening  http://127.0.0.1:${server.port}`)
}
