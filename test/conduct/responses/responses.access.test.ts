import { describe, expect, test } from 'bun:test'
import { firstOf } from '../../present'
import { study } from '../../study'

describe('the score', () => {
  test('adds the points of the answers, and is hidden from people who cannot see all of them', async () => {
    const { owner, enter, staff, trial, ids } = await study({
      stage: {
        component: {
          pulse: { scoringRules: [{ id: 'fast', points: 3, operator: 'more', value: 100 }] },
          mood: { scoringRules: [{ id: 'low', points: 2, operator: 'equal', value: 2 }] },
        },
      },
    })
    const { body } = await enter({ pulse: 120, mood: { q1: 2, q2: 2 } })
    expect(body.score).toBe(7)
    expect((await enter({ pulse: 80 })).body.score).toBe(4)
    await owner.do('updateDataType', ids.mood, { isRestricted: true })
    const nurse = staff(trial, ['trial.read'])
    const readBack = firstOf((await nurse.do('readResponse', trial, body._id)).responses)
    expect(readBack).not.toHaveProperty('score')
    expect(Object.keys(readBack.response).sort()).toEqual([ids.pulse!, ids.double!].sort())
  })
})

describe('access', () => {
  test('to restricted and PII fields needs the permission', async () => {
    const { owner, enter, staff, trial, ids, anna } = await study()
    await owner.do('updateDataType', ids.symptom, { isRestricted: true })
    await owner.do('updateDataType', ids.diary, { isPii: true })
    const { body } = await enter({ symptom: 'cough', diary: 'Lives at home', pulse: 60 })
    const seenBy = async (words: string[]) => {
      const person = staff(trial, words)
      const all = [
        firstOf((await person.do('readResponse', trial, body._id)).responses),
        firstOf((await person.do('readParticipantResponses', trial, anna)).responses),
      ]
      const { history } = await person.do('readResponseHistory', trial, body._id)
      const inHistory = history.flatMap(({ changes }) => changes.map(({ dataType }) => dataType))
      return [...all.map(({ response }) => Object.keys(response).length), inHistory.length]
    }
    expect(await seenBy(['trial.read'])).toEqual([2, 2, 2])
    expect(await seenBy(['trial.read', 'trial.readParticipantStudyDataRestricted'])).toEqual([3, 3, 3])
    expect(await seenBy(['trial.read', 'trial.readParticipantStudyDataPii'])).toEqual([3, 3, 3])
    expect(await seenBy(['trial.admin'])).toEqual([4, 4, 4])
  })

  test('to the client of a submission needs the permission for personal information', async () => {
    const { enter, staff, trial, ids } = await study()
    const { body } = await enter({ pulse: 60 })
    const nurse = staff(trial, ['trial.read'])
    const readBack = firstOf((await nurse.do('readResponse', trial, body._id)).responses)
    expect(readBack.response[ids.pulse!]).not.toHaveProperty('client')
    const { history } = await nurse.do('readResponseHistory', trial, body._id)
    expect(history[0]).not.toHaveProperty('client')
  })

  test('to read or write needs its permission; another team sees nothing', async () => {
    const { enter, staff, trial, url, sent, neighbours } = await study()
    const { body } = await enter({ pulse: 60 })
    const reader = staff(trial, ['trial.read'])
    const outsider = staff(trial, ['trial.readTasks'])
    expect((await reader.call('PUT', url(), { response: sent({ pulse: 61 }) })).status).toBe(403)
    expect((await outsider.call('GET', `/trials/${trial}/responses/${body._id}`)).status).toBe(403)
    const { owner: other } = neighbours()
    expect((await other.call('GET', `/trials/${trial}/responses/${body._id}`)).status).toBe(404)
    expect((await other.call('PUT', url(), { response: sent({ pulse: 61 }) })).status).toBe(404)
  })

  test('of a person of one site is to its participants only', async () => {
    const { owner, enter, staff, trial, anna, bert, url, sent } = await study()
    const site = await owner.do('createSite', trial, { name: 'North', id: 'N1' })
    await owner.do('addSiteMember', site._id, anna)
    const first = (await enter({ pulse: 60 })).body
    const other = (await enter({ pulse: 60 }, {}, owner, url(bert))).body
    const nurse = staff(trial, ['site.read', 'site.write'], site._id)
    expect((await nurse.call('GET', `/trials/${trial}/responses/${first._id}`)).status).toBe(200)
    expect((await nurse.call('GET', `/trials/${trial}/responses/${other._id}`)).status).toBe(404)
    expect((await nurse.call('PUT', url(), { response: sent({ pulse: 61 }) })).status).toBe(200)
    expect((await nurse.call('PUT', url(bert), { response: sent({ pulse: 61 }) })).status).toBe(404)
  })

  test('to enter data ends for an archived participant, and for all while the database is locked', async () => {
    const { owner, enter, trial, anna, db } = await study()
    await owner.do('updateParticipant', trial, anna, { isArchived: true })
    expect((await enter({ pulse: 60 })).status).toBe(400)
    await owner.do('updateParticipant', trial, anna, { isArchived: false })
    db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    expect((await enter({ pulse: 60 })).status).toBe(403)
  })

  test('to the changes of a submission in the audit trail needs access to the answers', async () => {
    const { enter, owner, trial, anna, stage, ids, staff } = await study()
    const { body } = await enter({ pulse: 60 })
    const { entries } = await owner.do('readLogs', trial, { type: 'submitResponse' })
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ type: 'submitResponse', participantId: 'P-1', userEmail: 'owner@example.org' })
    expect(firstOf(entries).event).toMatchObject({ response: body._id, stage, stageRecurrence: 0 })
    expect(firstOf(entries).event.changes).toContainEqual({ dataType: ids.pulse!, before: null, after: 60 })
    await enter({ pulse: 61 })
    const newest = firstOf((await owner.do('readLogs', trial, { type: 'submitResponse' })).entries)
    expect(newest.event.changes).toContainEqual({ dataType: ids.pulse!, before: 60, after: 61 })
    // A reader of the log without access to the answers sees the submission, but none of the values.
    await owner.do('updateDataType', ids.pulse, { isRestricted: true })
    const seenBy = async (words: string[]) =>
      firstOf((await staff(trial, words).do('readLogs', trial, { type: 'submitResponse' })).entries).event.changes
    expect(await seenBy(['trial.readLogs'])).toBeUndefined()
    expect(await seenBy(['trial.readLogs', 'trial.read'])).toEqual([]) // twice the pulse would disclose it
    expect(anna).toBeString()
  })
})
