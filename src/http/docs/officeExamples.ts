/** Bodies of randomisations, packs and incentives; see `examples.ts`. */

import { _id, otherId } from './exampleValues'

/** By the `id` of the operation. */
export const officeExamples: Readonly<Record<string, object>> = {
  createRandomisation: {
    name: 'Main randomisation',
    method: 'stratified',
    arms: [
      { name: 'Active', ratio: 2, group: _id },
      { name: 'Placebo', ratio: 1, group: otherId },
    ],
    blockSizes: [3, 6],
    factors: [
      { name: 'Site', type: 'site' },
      { name: 'Age', type: 'answer', stage: _id, dataType: otherId, cutPoints: [18, 65] },
    ],
  },
  updateRandomisation: { blockSizes: [6, 9], listLength: 300 },
  unblindRandomisation: { reason: 'The database is locked, and the analysis plan is signed.' },
  allocateParticipant: { participant: _id },
  dispensePacks: { participant: _id, quantity: 2, doseLevel: '20 mg', reason: 'Visit 3' },
  unblindParticipant: { participantId: 'LEEDS-014', reason: 'Anaphylaxis: the treatment depends on the arm.' },
  createPackType: {
    name: 'Tablets 50 mg',
    extendedFields: [{ key: 'tablets', label: 'Tablets in the pack', type: 'integer' }],
  },
  updatePackType: { description: 'Blister packs of the active drug' },
  createPacks: {
    packType: _id,
    packs: [
      {
        name: 'K-0001',
        batchNumber: 'B-17',
        expiryDate: '2027-06-30',
        extended: { tablets: 28 },
        assignedToSite: otherId,
      },
      { name: 'K-0002', batchNumber: 'B-17', expiryDate: '2027-06-30', extended: { tablets: 28 } },
    ],
  },
  updatePack: { expiryDate: '2027-12-31' },
  updatePacks: { ids: [_id, otherId], assignedToSite: otherId },
  deletePacks: { ids: [_id, otherId] },
  recordPackEvent: { type: 'returned', occurredAt: '2026-03-30T09:00:00Z', units: 4 },
  recordPackEvents: { ids: [_id, otherId], type: 'destroyed', reason: 'Incinerated, certificate 4711' },
  importTranslations: {
    language: 'de',
    content: 'key,place,field,source,translation (de),state\ntrial/name,Trial › Sleep,name,Sleep,Schlaf,missing\n',
  },
  importPacks: { packType: _id, content: 'name,batchNumber,expiryDate,site\nK-0003,B-17,2027-06-30,QH\n' },
  assignPack: { reason: 'Visit 2' },
  unassignPack: { reason: 'Taken from the shelf by mistake' },
  topUpWallet: { amount: 500, currency: 'EUR', reference: 'Transfer 4711' },
  reverseWalletTransaction: { reason: 'Paid twice by mistake.' },
  createIncentiveBrand: { brand: 'bookshop', brandName: 'Bookshop voucher', currency: 'EUR' },
  updateIncentiveBrand: { isActive: false },
  loadVoucherCodes: { content: 'code,pin,amount,expiresOn\nB7K2-99QX,1234,25.00,2027-12-31\n' },
  removeVoucherCodes: { loadedAt: '2026-03-02T09:30:00.000000Z', reason: 'The file was of another shop.' },
  issueIncentive: { brand: 'bookshop', brandName: 'Bookshop voucher', amount: 25, currency: 'EUR' },
  createIncentiveRule: { stage: _id, brand: 'bookshop', amount: 25, mostPerParticipant: 3, mostInTotal: 400 },
  updateIncentiveRule: { mostInTotal: 500 },
}
