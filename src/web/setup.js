import { ask, byId, onSubmit } from '/web/api.js'

const path = `/setup/${location.pathname.split('/').at(-1)}`
const TITLES = { first: 'Make the first account', invitation: 'Welcome to Trialbox', reset: 'Choose a new password' }

try {
  const { email, name, purpose } = await ask('GET', path)
  const isFirst = purpose === 'first'
  byId('title').textContent = TITLES[purpose] ?? byId('title').textContent
  byId('lead').textContent = isFirst ? 'It owns the team and can invite everybody else.' : `The account of ${email}.`
  byId('first').hidden = !isFirst
  byId('named').hidden = purpose === 'reset'
  byId('name').value = name ?? ''
  for (const field of ['team', 'email', 'name']) byId(field).required = isFirst
  // A password manager fills in hidden fields too, and the server refuses what this link does not take.
  for (const field of ['team', 'email']) byId(field).disabled = !isFirst
  byId('form').hidden = false
} catch (error) {
  byId('lead').textContent = error.message
}

onSubmit(byId('form'), async (input) => {
  if (input.password !== byId('again').value) throw new Error('The two passwords are not the same.')
  await ask('POST', path, input)
  byId('form').hidden = true
  byId('lead').hidden = true
  byId('done').hidden = false
  byId('done').querySelector('a').focus()
})
