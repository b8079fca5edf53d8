/** Loads voucher codes that the team bought. They are sealed before they are stored. */

import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { instantText } from '#kernel/time'
import { brand } from '#office/incentives/brands/scope'
import { todayOf } from '#office/incentives/brands/views'
import { codeLabel } from '#office/incentives/reveal'
import { amountOf } from '#office/incentives/wallet/money'
import { problemList } from '#office/packs/records/csvProblems'
import { readWholeCsv } from '#office/packs/records/readCsv'
import { CodeFile, CodeRemoval, LoadedCodes, MOST_CODES, RemovedCodes } from './model'
import { codesIn, hashInput } from './read'
import { deleteCodes, hasCode, insertCode } from './store'

const loadCodes = operation({
  id: 'loadVoucherCodes',
  method: 'POST',
  path: '/incentive-brands/:brandId/codes',
  summary: 'Load up to 10,000 voucher codes of a brand from a csv',
  description:
    'All or none: a refusal (422) names the line of each problem, also of codes that the file has twice or that were loaded before. Codes are stored encrypted, and shown only to whom they are given.',
  scope: brand,
  needs: 'trial.manageWallet',
  feature: 'incentives',
  logs: 'loadVoucherCodes',
  body: CodeFile,
  maxBodyBytes: 16 << 20,
  returns: LoadedCodes,
  prepare: async ({ services, caller, now, trial, row, body }) => {
    if (row.source === 'gateway') throw refuse.bad('cardsAreOrdered')
    const csv = await readWholeCsv({ services, caller, body })
    if (csv.rows.length > MOST_CODES) throw refuse.bad('tooManyVoucherCodes', { most: MOST_CODES })
    return codesIn(csv, row.currency, todayOf(trial, now))
  },
  run: ({ db, now, id, caller, trial, row, services: { seal }, prepared, record }) => {
    const problems = problemList()
    const amounts = new Map<number, number>()
    const about = { createdAt: now, createdBy: caller.user._id, trial: trial._id, brand: row._id }
    for (const { line, code, pin, amount, expiresOn } of prepared) {
      const _id = id()
      const secret = seal.close(JSON.stringify({ code, pin, url: null }), codeLabel(_id))
      const [hash = '', ...earlier] = seal.keys.map((key) => key.hash(hashInput(trial.team, row.code, code)))
      const isKnown = earlier.some((each) => hasCode(db, each))
      if (isKnown || !insertCode(db, { _id, ...about, amount, expiresOn, secret, hash }))
        problems.add(line, reason('codeLoaded'), 'code')
      amounts.set(amount, (amounts.get(amount) ?? 0) + 1)
    }
    problems.refuseAny()
    const counted = [...amounts].map(([amount, loaded]) => ({ amount: amountOf(amount, row.currency), loaded }))
    const result = { loaded: prepared.length, loadedAt: now, amounts: counted }
    record({ event: { brand: row._id, ...result, loadedAt: instantText(now) } })
    return result
  },
})

const removeCodes = operation({
  id: 'removeVoucherCodes',
  method: 'DELETE',
  path: '/incentive-brands/:brandId/codes',
  summary: 'Remove the voucher codes of a brand that nobody got, such as those of a wrong file',
  description: 'They can be loaded again. Codes that were given to somebody stay.',
  scope: brand,
  needs: 'trial.manageWallet',
  feature: 'incentives',
  logs: 'removeVoucherCodes',
  body: CodeRemoval,
  returns: RemovedCodes,
  run: ({ db, row, body: { loadedAt, reason }, record }) => {
    const removed = deleteCodes(db, row._id, loadedAt)
    const of = loadedAt === undefined ? {} : { loadedAt: instantText(loadedAt) }
    record({ event: { brand: row._id, ...of, reason, removed } })
    return { removed }
  },
})

export const voucherCodeOperations = [loadCodes, removeCodes] as const
