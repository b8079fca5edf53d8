/** Rules that pay for completions. Neither lock refuses changes: participants are paid until the study ends. */
import { rowById, updateById } from '#db/rows'
import { incentiveBrands, incentiveRules, stages } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { brandFor, requireBounds } from '#office/incentives/brands/choice'
import { minorUnitsOf } from '#office/incentives/wallet/money'
import { MOST_RULES, Rule, RuleChange, RuleInput, Rules } from './model'
import { rule } from './scope'
import { insertRule, rulesOf } from './store'
import { ruleView } from './views'

const FEATURE = 'incentives'

const listRules = operation({
  id: 'listIncentiveRules',
  method: 'GET',
  path: '/trials/:trialId/incentives/rules',
  summary: 'List the rules that pay by themselves',
  scope: trial,
  needs: ['trial.read', 'trial.manageWallet'],
  feature: FEATURE,
  returns: Rules,
  run: ({ db, trial }) => ({ rules: rulesOf(db, trial._id).map((row) => ruleView(db, row)) }),
})

const createRule = operation({
  id: 'createIncentiveRule',
  method: 'POST',
  path: '/trials/:trialId/incentives/rules',
  summary: 'Add a rule that pays when a participant completes a stage',
  description: 'It pays for completions from now on, each occurrence once.',
  scope: trial,
  needs: 'trial.admin',
  feature: FEATURE,
  of: 'incentiveRule',
  logs: 'createIncentiveRule',
  body: RuleInput,
  returns: Rule,
  run: (context) => {
    const { db, now, id, caller, trial, body } = context
    const { stage, brand: code, mostPerParticipant = null, mostInTotal = null, isActive = true } = body
    if (rowById(db, stages, stage)?.trial !== trial._id) throw refuse.bad('stageElsewhere')
    const brand = brandFor(context, trial._id, code, body.currency)
    const amount = minorUnitsOf(body.amount, brand.currency)
    requireBounds(brand, amount)
    if (rulesOf(db, trial._id).length >= MOST_RULES) throw refuse.bad('tooManyIncentiveRules', { most: MOST_RULES })
    const creation = { _id: id(), createdAt: now, createdBy: caller.user._id, updatedAt: now, trial: trial._id }
    const limits = { mostPerParticipant, mostInTotal, isActive }
    return ruleView(db, insertRule(db, { ...creation, stage, brand: brand._id, amount, ...limits }))
  },
})

const updateRule = operation({
  id: 'updateIncentiveRule',
  method: 'PUT',
  path: '/incentive-rules/:ruleId',
  summary: 'Change the amount or the limits of a rule, or switch it off',
  scope: rule,
  needs: 'trial.admin',
  feature: FEATURE,
  of: 'rule',
  logs: 'updateIncentiveRule',
  body: RuleChange,
  returns: Rule,
  run: ({ db, now, row, body }) => {
    const brand = rowById(db, incentiveBrands, row.brand)!
    const { amount: sent, ...limits } = body
    const amount = sent === undefined ? row.amount : minorUnitsOf(sent, brand.currency)
    requireBounds(brand, amount)
    return ruleView(db, updateById(db, incentiveRules, row._id, { ...limits, amount, updatedAt: now }))
  },
})

export const incentiveRuleOperations = [listRules, createRule, updateRule] as const
