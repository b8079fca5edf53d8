/** The models of rules that pay by themselves (docs/incentives.md, "Rules"). */
import { brandCode } from '#office/incentives/brands/model'
import { amount, currency } from '#office/incentives/wallet/model'
import { flag, id, instant, list, maybe, orNull, shape, text, whole, withDescription } from '#wire/schema'

const limits = {
  mostPerParticipant: maybe(
    withDescription(
      'How often it pays the same participant at most; null, the default: no limit.',
      orNull(whole(1, 100_000)),
    ),
  ),
  mostInTotal: maybe(
    withDescription(
      'How often it pays at most, all participants together; null, the default: no limit.',
      orNull(whole(1, 100_000_000)),
    ),
  ),
  isActive: maybe(withDescription('By default true. One that is not active pays for no further completion.', flag())),
}

export const RuleInput = shape('IncentiveRuleInput', {
  stage: withDescription('Each completion of an occurrence of it is paid, once.', id()),
  brand: brandCode(),
  amount: amount(),
  currency: maybe(withDescription('That of the brand, which is the default.', currency())),
  ...limits,
})

export const RuleChange = shape('IncentiveRuleChange', {
  amount: maybe(withDescription('Of payments from now on: those that wait keep theirs.', amount())),
  ...limits,
})

export const Rule = shape('IncentiveRule', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  updatedAt: instant(),
  stage: withDescription('Null: it was deleted.', orNull(id())),
  brand: brandCode(),
  brandName: text(1, 200),
  amount: amount(),
  currency: currency(),
  mostPerParticipant: orNull(whole(1)),
  mostInTotal: orNull(whole(1)),
  isActive: flag(),
  payments: withDescription('How often it paid, payments that wait included.', whole(0)),
  waitingSince: withDescription('Since when payments of it wait; null: none waits.', orNull(instant())),
})

/** The most rules of a trial. */
export const MOST_RULES = 200

export const Rules = shape('IncentiveRules', { rules: list(Rule, MOST_RULES) })
