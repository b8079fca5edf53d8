/** What is known of a participant besides answers: the registration, the withdrawal, and the arm if the reader may see it. */

import { armsVisibleTo } from '#access/armConcealmentStore'
import { type Access, holds, type Places } from '#access/caller'
import type { Db } from '#db/open'
import type { KeptParticipant } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { armsOf, randomisationsOf } from '#office/randomisation/store'
import { areArmsVisibleTo } from '#office/randomisation/view'
import { allocationsReader, participantReader } from './store'

export type Arm = { ARMCD: string; ARM: string }

export type ParticipantFacts = {
  registeredAt: Instant | null
  isWithdrawn: boolean
  allocatedAt: Instant | null
  arm: Arm | undefined
  /** Why there is no arm; null if that is not known. */
  armReason: 'NOT ASSIGNED' | 'BLINDED' | null
}

export type StudyArms = {
  /** Randomisations that are sealed. */
  count: number
  /** Those that the reader may see, of the only randomisation. */
  shown: readonly Arm[]
  isBlinded: boolean
}

const splitIds = (ids: string | null): Id[] => (ids === null ? [] : ids.split(','))

/** The facts of participants as the reader may see them. Call it, and what it returns, within the transaction of the export. */
export function factsReader(db: Db, trial: Id, access: Access) {
  const sealed = randomisationsOf(db, trial).filter(({ status }) => status !== 'draft')
  const [only] = sealed.length === 1 ? sealed : []
  const isShown = only !== undefined && areArmsVisibleTo(access, only)
  const arms = new Map(
    (isShown ? armsOf(db, only._id) : []).map(({ _id, name }, at): [Id, Arm] => [
      _id,
      { ARMCD: `ARM${at + 1}`, ARM: name },
    ]),
  )
  const read = participantReader(db)
  const allocations = allocationsReader(db)
  const of = (owner: KeptParticipant): ParticipantFacts => {
    const places: Places = { sites: splitIds(owner.sites), groups: splitIds(owner.groups) }
    const isReader = holds(access, 'readParticipants', places)
    const isAllocator = isReader || holds(access, 'randomise', places) || armsVisibleTo(access)
    const row = isReader ? read(owner.participant) : undefined
    const ownAllocations = isAllocator ? allocations(owner.participant) : []
    const arm = only && ownAllocations.map((each) => arms.get(each.arm)).find((each) => each !== undefined)
    return {
      registeredAt: row?.createdAt ?? null,
      isWithdrawn: row?.isWithdrawn === 1,
      allocatedAt: ownAllocations.length ? Math.min(...ownAllocations.map(({ createdAt }) => createdAt)) : null,
      arm,
      armReason: !only || !isAllocator || arm ? null : ownAllocations.length ? 'BLINDED' : 'NOT ASSIGNED',
    }
  }
  const study: StudyArms = {
    count: sealed.length,
    shown: [...arms.values()],
    isBlinded: only !== undefined && !isShown,
  }
  return { of, study }
}
