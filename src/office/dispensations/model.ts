import { withoutConsentReason } from '#conduct/consents/required'
import { NamedPack } from '#office/packs/model'
import { flag, id, instant, list, maybe, oneLine, orNull, shape, text, whole, withDescription } from '#wire/schema'

const reason = () => text(1, 1000)

/** See docs/randomisation.md, "Dispensing by arm". */
export const DispensationInput = shape('DispensationInput', {
  participant: id(),
  quantity: maybe(withDescription('How many times what the arm dispenses at a time; the default is 1.', whole(1, 20))),
  doseLevel: maybe(
    withDescription(
      'One of the dose levels of the randomisation; by default that of the participant’s dispensation before, at first the first.',
      oneLine(1, 50),
    ),
  ),
  replaces: maybe(
    id(
      'A pack that the randomisation gave to the participant, and that is lost, damaged or returned: they get one of its type.',
    ),
  ),
  site: maybe(id('For a participant of several sites: the one whose packs are used.')),
  reason: maybe(orNull(reason())),
  withoutConsentReason: withoutConsentReason(),
})

const ARM = 'Absent for readers from whom the arms are concealed.'

const DispensedPack = shape('DispensedPack', {
  _id: id(),
  name: orNull(oneLine(0, 200)),
  packType: maybe(withDescription(ARM, id())),
})

export const Dispensation = shape('Dispensation', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  randomisation: id(),
  participant: id(),
  participantId: withDescription('The participant ID that the study gave', oneLine(1, 50)),
  number: withDescription('From 1, in the order of the dispensations of the randomisation.', whole(1)),
  packs: withDescription('By name.', list(DispensedPack, 1000)),
  quantity: whole(1),
  doseLevel: orNull(oneLine(1, 50)),
  replaces: orNull(NamedPack),
  site: orNull(id('The site whose packs they are; null for trial level.')),
  reason: orNull(reason()),
  arm: maybe(withDescription(ARM, id())),
  armName: maybe(withDescription(ARM, oneLine(1, 100))),
})

export const DispensationQuery = shape({
  participant: maybe(id()),
  after: maybe(withDescription('Only dispensations after this number', whole(0))),
})

export const Dispensations = shape('Dispensations', { dispensations: list(Dispensation), nextPageAvailable: flag() })
