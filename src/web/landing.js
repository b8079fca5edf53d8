import { ask, byId } from '/web/api.js'

try {
  const { version } = await ask('GET', '/health')
  byId('state').textContent = `The service runs. Version ${version}`
} catch (error) {
  byId('state').textContent = error.message
}
