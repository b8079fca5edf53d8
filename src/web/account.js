import { ask, byId, onSubmit } from '/web/api.js'

let csrfToken

function showSession(session) {
  csrfToken = session?.csrfToken
  byId('sign-in').hidden = Boolean(session)
  byId('signed-in').hidden = !session
  if (!session) return
  byId('who').textContent = `${session.user.name} (${session.user.email})`
  return showKeys()
}

const day = (moment) => moment.slice(0, 10)

function itemOf(key) {
  const item = document.createElement('li')
  const what = document.createElement('span')
  const notes = [`${key.prefix}…`, `made ${day(key.createdAt)}`]
  if (key.expiresAt) notes.push(`until ${day(key.expiresAt)}`)
  notes.push(key.lastUsedAt ? `last used ${day(key.lastUsedAt)}` : 'never used')
  what.className = 'what'
  what.textContent = `${key.name} · ${notes.join(' · ')}`
  const remove = document.createElement('button')
  remove.className = 'quiet'
  remove.type = 'button'
  remove.textContent = 'Delete'
  remove.setAttribute('aria-label', `Delete the key ${key.name}`)
  remove.addEventListener('click', () => {
    if (confirm(`Delete the key "${key.name}"? Programs that use it stop working.`))
      change(() => ask('DELETE', `/users/me/api-keys/${key._id}`, undefined, csrfToken))
  })
  item.append(what, remove)
  return item
}

async function showKeys() {
  const { apiKeys } = await ask('GET', '/users/me/api-keys')
  byId('none').hidden = apiKeys.length > 0
  byId('keys').replaceChildren(...apiKeys.map(itemOf))
}

/** Changes the keys, then shows all of them. */
async function change(act) {
  byId('keys-fault').hidden = true
  try {
    await act()
    await showKeys()
  } catch (error) {
    byId('keys-fault').textContent = error.message
    byId('keys-fault').hidden = false
  }
}

onSubmit(byId('sign-in'), async (input) => {
  const session = await ask('POST', '/sessions', input)
  byId('sign-in').reset()
  await showSession(session)
})

onSubmit(byId('make'), async ({ name, expires }) => {
  // The key works until the end of its last day.
  const expiresAt = expires ? `${expires}T23:59:59.999999Z` : null
  const { key } = await ask('POST', '/users/me/api-keys', { name, expiresAt }, csrfToken)
  byId('make').reset()
  byId('key').textContent = key
  byId('copy').textContent = 'Copy'
  byId('made').hidden = false
  await showKeys()
})

byId('copy').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(byId('key').textContent)
    byId('copy').textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(byId('key')) // The browser does not allow it: select the key, so that the person can copy it.
  }
})

byId('sign-out').addEventListener('click', async () => {
  await change(() => ask('DELETE', '/sessions', undefined, csrfToken))
  location.reload()
})

// After a reload the session still runs; without one this answers 401.
showSession(await ask('GET', '/sessions').catch(() => undefined))
