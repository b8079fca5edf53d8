/** Signatures of OAuth 1.0a against published examples. */
import { expect, test } from 'bun:test'
import { signatureOf } from '#conduct/wearables/providers/oauth1'
import { challengeOf } from '#conduct/wearables/providers/oauth2'

const secret = 'kd94hf93k423kf44'
const common = { oauth_consumer_key: 'dpf43f3p2l4k3l03', oauth_signature_method: 'HMAC-SHA1' }

test.each([
  [
    'RFC 5849, 1.2: a request token',
    'POST',
    'https://photos.example.net/initiate',
    {
      ...common,
      oauth_timestamp: '137131200',
      oauth_nonce: 'wIjqoS',
      oauth_callback: 'http://printer.example.com/ready',
    },
    { secret },
    '74KNZJeDHnMBp0EMJ9ZHt/XKycU=',
  ],
  [
    'RFC 5849, 1.2: an access token',
    'POST',
    'https://photos.example.net/token',
    {
      ...{ ...common, oauth_token: 'hh5s93j4hdidpola', oauth_timestamp: '137131201', oauth_nonce: 'walatlh' },
      oauth_verifier: 'hfdp7dh39dks9884',
    },
    { secret, tokenSecret: 'hdhd0244k9j7ao03' },
    'gKgrFCywp7rO0OXSjdot/IHF7IU=',
  ],
  [
    'RFC 5849, 1.2: a photo, with a query',
    'GET',
    'http://photos.example.net/photos?file=vacation.jpg&size=original',
    { ...common, oauth_token: 'nnch734d00sl2jdk', oauth_timestamp: '137131202', oauth_nonce: 'chapoH' },
    { secret, tokenSecret: 'pfkkdhi9sl3r4s00' },
    'MdpQcU8iPSUjWoN/UDMsK2sui9I=',
  ],
  [
    'OAuth Core 1.0, appendix A.5',
    'GET',
    'http://photos.example.net/photos?file=vacation.jpg&size=original',
    {
      ...{ ...common, oauth_token: 'nnch734d00sl2jdk', oauth_timestamp: '1191242096', oauth_nonce: 'kllo9940pd9333jh' },
      oauth_version: '1.0',
    },
    { secret, tokenSecret: 'pfkkdhi9sl3r4s00' },
    'tR3+Ty81lMeYAr/Fid0kMTYa/WM=',
  ],
  [
    'a form with signs that need encoding',
    'POST',
    'https://api.twitter.com/1.1/statuses/update.json?include_entities=true',
    {
      status: 'Hello Ladies + Gentlemen, a signed OAuth request!',
      oauth_consumer_key: 'xvz1evFS4wEEPTGEFPHBog',
      oauth_nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
      oauth_signature_method: 'HMAC-SHA1',
      oauth_timestamp: '1318622958',
      oauth_token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
      oauth_version: '1.0',
    },
    { secret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw', tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE' },
    'hCtSmYh+iHYCEqBWrE7C7hYmtUk=',
  ],
])('%s', (_, method, url, parameters, keys, signature) => {
  expect(signatureOf(method, url, parameters, keys)).toBe(signature)
})

test('the challenge of PKCE is that of RFC 7636, appendix B', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
})
