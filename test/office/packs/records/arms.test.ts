/** Arms beside packs in the accountability log. */
import { expect, test } from 'bun:test'
import { extractText } from 'unpdf'
import type { Id } from '#kernel/id'
import { dispensationStudy } from '../../dispensations/dispensation.study'
import { secretNames } from '../../randomisation/randomisation.study'

test('the accountability log names arm and pack side by side after the unblinding, and before to who sees arms', async () => {
  const s = await dispensationStudy({}, 2)
  const { packs } = (await s.dispense(1)).body as { packs: { _id: Id }[] }
  const reader = s.staff(s.trial, ['trial.read', 'trial.listPacks'])
  const local = s.staff(s.trial, ['site.listPacks', 'site.readParticipants'], s.north)
  const url = `/trials/${s.trial}/packs/accountability` as const
  const dispensed = async (by = s.owner as Pick<typeof s.owner, 'get'>) =>
    (await by.get<'readPackAccountability'>(url)).lines.filter(({ dispensedAt }) => dispensedAt !== null)
  const named = (lines: Awaited<ReturnType<typeof dispensed>>) =>
    lines.map(({ participantId, armName, isOfArm }) => `${participantId} ${armName} ${isOfArm}`).sort()
  const expected = [`R-1 ${secretNames.arm} true`, `R-1 ${secretNames.arm} true`, `R-2 ${secretNames.otherArm} true`]
  expect(named(await dispensed())).toEqual(expected)
  for (const by of [reader, local]) {
    const lines = await dispensed(by)
    expect(lines).toHaveLength(3)
    expect(lines.flatMap((line) => Object.keys(line)).filter((field) => /arm/i.test(field))).toEqual([])
    expect((await by.do('readPackAccountability', s.trial, { format: 'csv' })).csv.split('\n')[0]).not.toContain('arm')
  }
  expect((await s.owner.do('readPackAccountability', s.trial, { format: 'csv' })).csv.split(/\r?\n/)[0]).toEndWith(
    ',arm,isOfArm',
  )

  await s.owner.do('closeRandomisation', s.sealed)
  const admin = await s.confirmed(['trial.admin'])
  await admin.do('unblindRandomisation', s.sealed, { reason: 'The end' })
  for (const by of [reader, local]) {
    expect(named(await dispensed(by))).toEqual(expected)
    const [header, ...rows] = (await by.do('readPackAccountability', s.trial, { format: 'csv' })).csv.split(/\r?\n/)
    expect(header).toEndWith(',arm,isOfArm')
    expect(rows.find((row) => row.startsWith(packs[0]!._id))).toEndWith(`,${secretNames.arm},true`)
  }
  const { request } = await reader.do('readPackAccountability', s.trial, { format: 'pdf' })
  const { text } = await extractText(new Uint8Array(await (await s.fetch(request)).bytes()), { mergePages: true })
  for (const arm of [secretNames.arm, secretNames.otherArm]) expect(text).toContain(arm)
})

test('a pack of another arm is marked, and one that no randomisation gives has no arm', async () => {
  const s = await dispensationStudy({ isBlinded: false }, 1)
  const rescue = (await s.owner.do('createPackType', s.trial, { name: 'Rescue' }))._id
  const made = await s.owner.do('createPacks', s.trial, { packType: rescue, name: 'Z-1' })
  await s.owner.do('assignPack', s.trial, s.person(1), made.packs[0]!._id)
  // What an earlier version let somebody do: a pack of the other arm, and one for somebody without an arm.
  const wrong = s.db.$client.query(`SELECT _id, name FROM packs WHERE packType = ? LIMIT 2`).all(s.sham) as {
    _id: Id
    name: string
  }[]
  for (const [at, n] of [1, 9].entries()) {
    const participant = s.person(n)
    s.db.$client.run(`UPDATE packs SET state = 'dispensed', participant = ? WHERE _id = ?`, [
      participant,
      wrong[at]!._id,
    ])
    s.db.$client.run(
      `INSERT INTO packEvents (pack, _id, createdAt, createdBy, occurredAt, packType, type, state, participant, site)
       SELECT _id, 'ffffffffffffffffffffffff', createdAt, createdBy, createdAt, packType, 'dispensed', 'dispensed', participant,
         assignedToSite FROM packs WHERE _id = ?`,
      [wrong[at]!._id],
    )
  }
  const { lines } = await s.owner.do('readPackAccountability', s.trial)
  const of = (name: string) => {
    const { participantId, armName, isOfArm } = lines.find((line) => line.name === name)!
    return [participantId, armName, isOfArm]
  }
  expect(of(wrong[0]!.name)).toEqual(['R-1', secretNames.arm, false])
  expect(of(wrong[1]!.name)).toEqual(['R-9', null, false])
  expect(of('Z-1')).toEqual(['R-1', undefined, undefined])
  const { request } = await s.owner.do('readPackAccountability', s.trial, { format: 'pdf' })
  const { text } = await extractText(new Uint8Array(await (await s.fetch(request)).bytes()), { mergePages: true })
  expect(text).toContain('not of this arm')
})
