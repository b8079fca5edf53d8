/** A sealed randomisation of two arms in turn, whose participants are allocated, and short forms of dispensing. */
import type { Id } from '#kernel/id'
import { type RandomisedStudy, randomisedStudy, secretNames } from '../randomisation/randomisation.study'

/** The arms in turn, so that a test knows who is in which: odd numbers get the first arm. */
export const ALTERNATING = {
  method: 'list',
  blockSizes: [],
  seed: null,
  list: `arm\n${`${secretNames.arm}\n${secretNames.otherArm}\n`.repeat(12)}`,
}

/** @param change of the randomisation; @param count how many participants are allocated: R-1, R-2, … at the northern site */
export async function dispensationStudy(
  change: Record<string, unknown> | ((s: RandomisedStudy) => object) = {},
  count = 4,
) {
  const s = await randomisedStudy()
  const sealed = await s.sealed({ ...ALTERNATING, ...(typeof change === 'function' ? change(s) : change) })
  for (let n = 1; n <= count; n++) {
    const { status } = await s.allocate(sealed, s.person(n))
    if (status !== 200) throw new Error(`R-${n} is not allocated`)
  }
  const url = `/randomisations/${sealed}/dispensations` as const
  return {
    ...s,
    sealed,
    url,
    nurse: s.staff(s.trial, ['site.dispense'], s.north),
    /** Asks for packs for the n-th participant. */
    dispense: (n: number, more: object = {}, by: Pick<RandomisedStudy['owner'], 'call'> = s.owner) =>
      by.call('POST', url, { participant: s.person(n), ...more }),
    typeOf: (pack: Id): Id =>
      (s.db.$client.query('SELECT packType FROM packs WHERE _id = ?').get(pack) as { packType: Id }).packType,
    /** Leaves so many packs of the type in stock at the northern site. */
    leave(packType: Id, count: number) {
      s.db.$client.run(
        `UPDATE packs SET state = 'quarantined' WHERE packType = ? AND assignedToSite = ? AND state = 'inStock' AND _id NOT IN
           (SELECT _id FROM packs WHERE packType = ? AND assignedToSite = ? AND state = 'inStock' LIMIT ?)`,
        [packType, s.north, packType, s.north, count],
      )
    },
    /** How much there is of what a dispensation makes. */
    counts: () =>
      s.db.$client
        .query(
          `SELECT (SELECT count(*) FROM dispensations) AS dispensations, (SELECT count(*) FROM dispensedPacks) AS packs,
             (SELECT count(*) FROM packEvents WHERE type = 'dispensed') AS events,
             (SELECT count(*) FROM auditEntries WHERE type = 'dispensePack') AS entries`,
        )
        .get() as { dispensations: number; packs: number; events: number; entries: number },
  }
}

export type DispensationStudy = Awaited<ReturnType<typeof dispensationStudy>>
