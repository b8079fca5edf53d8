/** Dispensations: packs that allocated participants get by their arm. */
import { holds, visibleScopeOf } from '#access/caller'
import { requireConsent } from '#conduct/consents/required'
import { participantVisibleTo } from '#conduct/participants/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { randomisation } from '#office/randomisation/scope'
import { dispense } from './dispense'
import { Dispensation, DispensationInput, DispensationQuery, Dispensations } from './model'
import { dispensationsAfter, listedDispensation } from './store'
import { dispensationViewer } from './view'

const PAGE = 100

const listDispensations = operation({
  id: 'listDispensations',
  method: 'GET',
  path: '/randomisations/:randomisationId/dispensations',
  summary: 'List the dispensations of a randomisation',
  description: `In their order, ${PAGE} at a time. Arms and pack types are absent for readers from whom they are concealed.`,
  scope: randomisation,
  needs: [
    anywhere('trial.dispense'),
    anywhere('trial.randomise'),
    'trial.readRandomisation',
    anywhere('trial.readParticipants'),
  ],
  reads: ({ dispensations }) => dispensations.map(({ participant }) => participant),
  query: DispensationQuery,
  returns: Dispensations,
  run: (context) => {
    const { db, access, randomisation, query } = context
    const filter = { randomisation: randomisation._id, scope: visibleScopeOf(access), ...query }
    const rows = dispensationsAfter(db, filter, PAGE + 1)
    return {
      dispensations: rows.slice(0, PAGE).map(dispensationViewer(context)),
      nextPageAvailable: rows.length > PAGE,
    }
  },
})

const dispensePacks = operation({
  id: 'dispensePacks',
  method: 'POST',
  path: '/randomisations/:randomisationId/dispensations',
  summary: 'Dispense packs to a participant by their arm',
  description:
    'Draws packs of the arm that the participant was allocated to, at their site, or one in place of a pack that is lost, damaged or returned. Refused (400) with the reason if that is not possible, and then nothing is used up. While the arms are concealed, packs of all arms must be in stock.',
  scope: randomisation,
  needs: anywhere('trial.dispense'),
  logs: 'dispensePack',
  body: DispensationInput,
  returns: Dispensation,
  run: (context) => {
    const { db, access, randomisation, body, record } = context
    const { participant, places } = participantVisibleTo(context, context, body.participant)
    // Who dispenses at one site of the participant cannot use the packs of another.
    const where =
      body.site === undefined ? places : { ...places, sites: places.sites.filter((_id) => _id === body.site) }
    if (!holds(access, 'dispense', where)) throw refuse.missingPermission(['trial.dispense'])
    const of = { trial: context.trial, participant }
    const consent = requireConsent(db, of, randomisation.requiresConsent, body.withoutConsentReason)
    const { row, arm, packs } = dispense(context, participant, body)
    const { _id: dispensation, number, doseLevel, quantity, site, replaces, reason } = row
    const about = {
      dispensation,
      name: randomisation.name,
      number,
      doseLevel,
      quantity,
      site,
      replaces,
      reason,
      ...consent.event,
    }
    for (const { _id: packId, packType } of packs) {
      const event = { packId, ...about, concealed: { arm: arm._id, packType } }
      record({ type: 'dispensePack', participant: participant._id, event })
    }
    return dispensationViewer(context)(listedDispensation(db, dispensation))
  },
})

export const dispensationOperations = [listDispensations, dispensePacks] as const
