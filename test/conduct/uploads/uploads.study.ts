/** Requests for upload links, and uploads, for tests. */
import { participantSites, participants, participantTokens, sites } from '#db/tables/index'
import { type Id, newId, sha256 } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { World } from '../../harness'

export const bytes = 'a scan'

export const uploadRequestUrl = (
  forType: string,
  forId: Id | undefined,
  more: Record<string, string | number> = {},
  kind: 'file' | 'video' = 'file',
) =>
  `/uploads/${kind}/request?${new URLSearchParams({
    name: 'Scan 1.PDF',
    size: `${bytes.length}`,
    type: 'application/pdf',
    forType,
    ...(forId === undefined ? {} : { forId }),
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, `${value}`])),
  })}` as const

export const putBytes = (here: Pick<World, 'fetch'>, url: string, body = bytes, type = 'application/pdf') =>
  here.fetch(url, { method: 'PUT', body, headers: { 'Content-Type': type } })

/** A site, and a signed-in participant of it. */
export function atSite(here: World, trial: Id) {
  const site = newId(0)
  const participant = newId(0)
  const count = here.db.select().from(participants).all().length
  here.db
    .insert(sites)
    .values({ _id: site, createdAt: 0, trial, name: 'Site', id: `S${count}` })
    .run()
  here.db
    .insert(participants)
    .values({ _id: participant, createdAt: 0, trial, id: `P${count}`, idSort: `p${count}` })
    .run()
  here.db.insert(participantSites).values({ participant, site }).run()
  const now = parseInstant(here.now())!
  const hash = sha256(`token ${participant}`)
  here.db.insert(participantTokens).values({ hash, participant, trial, createdAt: now, lastUsedAt: now }).run()
  const patient = here.person({ Authorization: `Bearer token ${participant}` })
  return { site, participant, patient }
}
