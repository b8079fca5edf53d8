import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '../../proof'
import { sharedConsentWorld, typed } from './consents.study'

const made = sharedConsentWorld({ requiredVerificationMethods: ['email'], readToEnd: true })
let count = 0

test('no order of steps leads to two consents of a session, or to one without what the form asks for', async () => {
  const { nobody, owner, trialId, start, give, codeTo, clock } = await made()
  const step = fc.constantFrom('read', 'send', 'enter', 'wrong', 'give', 'giveTwice')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      clock(61_000_000) // codes to new addresses, and limits, begin anew
      const address = `person${++count}@example.org`
      const token = await start()
      const url = `/consent-sessions/${token}` as const
      const before = (await owner.do('listConsents', trialId)).total
      const done = { read: false, verified: false }
      const given = new Set<string>()
      const sign = async () => {
        const { status, body } = await give(token, typed('Ann Lee'))
        expect([status, given.size > 0 || (done.read && done.verified)]).toEqual([status, status === 200])
        if (status === 200) given.add(body._id)
      }
      for (const each of steps) {
        if (each === 'read') {
          await nobody.do('recordConsentEvents', token, { events: [{ type: 'readToEnd' }] })
          done.read = true
        } else if (each === 'send') {
          await nobody.call('POST', `${url}/verifications`, { method: 'email', address })
        } else if (each === 'enter' || each === 'wrong') {
          const code = each === 'enter' ? codeTo(address) || 'none' : 'wrong'
          const { body } = await nobody.call('POST', `${url}/verifications/codes`, { method: 'email', code })
          done.verified ||= body.isVerified === true
        } else if (each === 'give') await sign()
        else await Promise.all([sign(), sign()])
      }
      expect(given.size).toBeLessThanOrEqual(1)
      expect((await owner.do('listConsents', trialId)).total - before).toBe(given.size)
    }),
    { numRuns: runs(25) },
  )
}, 60_000)
