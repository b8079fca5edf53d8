import type { TrustTexts } from './en'

export const fr: TrustTexts = {
  title: 'Faire confiance à ce serveur',
  lead: 'Votre téléphone ou votre tablette ne connaît pas encore ce serveur d’étude. Indiquez-lui une fois que vous lui faites confiance : la page s’ouvre alors sans avertissement et fonctionne aussi sans connexion.',
  check: 'Comparez d’abord ces chiffres',
  checkWhy:
    'Demandez à l’équipe de l’étude l’empreinte du serveur, ou regardez la note qu’elle vous a remise. Continuez seulement si tous les chiffres sont identiques.',
  fingerprint: 'Empreinte (SHA-256)',
  until: 'Valable jusqu’au {date}',
  limits: 'Il ne vaut que pour ces noms et réseaux, et pour aucun autre site d’Internet :',
  steps: 'Suivez ensuite les étapes pour votre appareil',
  get: 'Télécharger le certificat',
  ios: 'iPhone et iPad',
  iosSteps: [
    'Ouvrez cette page dans Safari, touchez le bouton ci-dessus et autorisez le téléchargement.',
    'Ouvrez *Réglages*, touchez *Profil téléchargé*, puis *Installer*.',
    'Ouvrez *Réglages › Général › Informations › Réglages des certificats* et activez le certificat de ce serveur.',
  ],
  android: 'Android',
  androidSteps: [
    'Touchez le bouton ci-dessus pour télécharger le certificat.',
    'Ouvrez les *Paramètres*, cherchez *Certificat CA* et choisissez *Installer quand même*.',
    'Choisissez le fichier téléchargé.',
  ],
  windows: 'Windows',
  windowsSteps: [
    'Téléchargez le certificat et ouvrez-le.',
    'Choisissez *Installer un certificat*, puis *Utilisateur actuel*.',
    'Choisissez *Placer tous les certificats dans le magasin suivant*, puis *Autorités de certification racines de confiance*.',
  ],
  mac: 'Mac',
  macSteps: [
    'Téléchargez le certificat et ouvrez-le : il est ajouté à *Trousseaux d’accès*.',
    'Ouvrez-le à cet endroit et, sous *Se fier*, choisissez *Toujours approuver*.',
  ],
  firefox: 'Firefox et Linux',
  firefoxSteps: [
    'Téléchargez le certificat.',
    'Dans Firefox, ouvrez *Paramètres › Vie privée et sécurité › Certificats › Afficher les certificats › Autorités* et choisissez *Importer*.',
    'Cochez *Confirmer cette AC pour identifier des sites web*.',
  ],
  managed:
    'Les appareils gérés par une organisation reçoivent le certificat de leurs administrateurs : donnez-leur le fichier {file}.',
  afterwards: 'Fermez ensuite le navigateur et rouvrez l’étude. Aucun avertissement n’apparaît plus.',
  phone: 'Un autre appareil',
  phoneWhy: 'Dirigez son appareil photo vers ce code pour y ouvrir cette page.',
  notNeeded: 'Rien à faire ici',
  notNeededWhy:
    'Le certificat de ce serveur vient d’une autre autorité. Si votre appareil affiche encore un avertissement, demandez à l’équipe de l’étude.',
}
