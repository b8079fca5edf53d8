/** Values that several examples of bodies have. */

export const _id = '65f1c0de0123456789abcdef'
export const otherId = '65f1c0de0123456789abcdf0'
export const reason = 'Registered twice by mistake.'
export const storedName = '65f1c0de0123456789abcdef-0123456789abcdef0123456789abcdef.pdf'
export const password = 'harbour lantern 71'

/** Answers to two fields, keyed by data type. */
export const answers = { [_id]: { value: 6.5 }, [otherId]: { value: 'Well rested' } }

export const photo = { dataType: _id, name: 'rash.jpg', size: 481_516, type: 'image/jpeg' }

export const foodEntry = {
  date: '2026-03-02',
  meal: 'breakfast',
  foodId: 171688,
  portion: { size: 182, unit: 'grams', description: '1 medium' },
  quantity: 1,
  loggedAt: '2026-03-02T07:30:00Z',
}
