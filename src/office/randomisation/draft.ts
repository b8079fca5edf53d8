/** Drafts: the fields that a request sets, with their defaults. */
import type { Id } from '#kernel/id'
import { type Draft, type DraftArm, defaultBlockSizes } from './check'
import type { RandomisationInput } from './model'
import type { ArmRow, RandomisationRow } from './store'

type Change = Partial<RandomisationInput>
type Fields = Pick<
  RandomisationRow,
  | 'name'
  | 'method'
  | 'isBlinded'
  | 'blockSizes'
  | 'listLength'
  | 'factors'
  | 'preferredPercent'
  | 'eligibility'
  | 'unblindingRecipients'
  | 'seed'
  | 'list'
  | 'requiresConsent'
>

type ArmInput = RandomisationInput['arms'][number]

const armOf = ({ name, ratio = 1, group = null, packType = null, dispensing = [] }: ArmInput): DraftArm => ({
  ...{ name, ratio, group, packType },
  dispensing: dispensing.map(({ doseLevel, packType, quantity = 1 }) => ({
    doseLevel: doseLevel?.trim() ?? null,
    packType,
    quantity,
  })),
})

/** Null for none, as of randomisations that were made before there was such a field. */
const uniqueKeys = (keys: readonly string[] | undefined) => (keys?.length ? [...new Set(keys)] : null)

/** A new draft. @param creator is notified of unblindings if the request names no recipients */
export function newDraft(body: RandomisationInput, creator: Id): { fields: Fields; arms: DraftArm[] } {
  const arms = body.arms.map(armOf)
  return {
    arms,
    fields: {
      name: body.name,
      method: body.method,
      isBlinded: body.isBlinded ?? true,
      blockSizes: body.blockSizes ?? defaultBlockSizes({ method: body.method, arms }),
      listLength: body.listLength ?? 1000,
      factors: body.factors ?? [],
      preferredPercent: body.preferredPercent ?? 80,
      eligibility: body.eligibility ?? null,
      unblindingRecipients: [...new Set(body.unblindingRecipients ?? [creator])],
      seed: body.seed ?? null,
      list: body.list ?? null,
      requiresConsent: uniqueKeys(body.requiresConsent),
    },
  }
}

/** The draft after a change. Default block sizes follow the method and the arms. */
export function changedDraft(row: RandomisationRow, before: readonly ArmRow[], change: Change): Draft {
  const { arms: given, unblindingRecipients, requiresConsent, ...fields } = change
  const draftArmOf = ({ name, ratio, group, packType, dispensing }: ArmRow) => ({
    name,
    ratio,
    group,
    packType,
    dispensing,
  })
  const arms = given?.map(armOf) ?? before.map(draftArmOf)
  const sizes = row.blockSizes
  const wasDefault = String(sizes) === String(defaultBlockSizes({ method: row.method, arms: before }))
  const method = fields.method ?? row.method
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return {
    ...row,
    ...present,
    ...(requiresConsent && { requiresConsent: uniqueKeys(requiresConsent) }),
    ...(unblindingRecipients && { unblindingRecipients: [...new Set(unblindingRecipients)] }),
    blockSizes: fields.blockSizes ?? (wasDefault ? defaultBlockSizes({ method, arms }) : sizes),
    arms,
  }
}
