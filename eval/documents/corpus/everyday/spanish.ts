import { ask, type Corpus } from "../corpus-types.ts";

export const spanish: Corpus = {
  documents: [
    {
      id: "es-piscina",
      title: "Piscina municipal El Arenal: normas de uso",
      layout: "manual",
      blocks: [
        { heading: "Horario y entradas" },
        {
          text: "La instalación abre todos los días de 9 a 21 horas entre el 1 de junio y el 15 de septiembre. La entrada general cuesta 4,20 euros y el abono de diez baños, 33 euros. Los menores de cuatro años acceden gratis acompañados de un adulto.",
        },
        { pageBreak: true },
        { heading: "Higiene y seguridad" },
        {
          text: "Es obligatorio ducharse antes de entrar en el agua y llevar gorro. No se permite comer en la zona de baño; existe un merendero junto a la salida norte. El socorrista puede expulsar a quien corra o se lance de cabeza en la parte poco profunda.",
        },
        { pageBreak: true },
        { heading: "Objetos y reclamaciones" },
        {
          text: "Los objetos olvidados se conservan en la taquilla durante un mes. En caso de tormenta eléctrica se desaloja el vaso y no se devuelve el importe. Las hamacas se alquilan por 3 euros la jornada.",
        },
      ],
    },
    {
      id: "es-lavadora",
      title: "Lavadora Brisa 8: manual y garantía",
      layout: "report",
      blocks: [
        { heading: "Instalación" },
        {
          text: "Retire los tornillos de transporte antes de la primera puesta en marcha; de lo contrario, el aparato vibrará con fuerza. La carga máxima es de ocho kilos de algodón. El desagüe debe quedar a una altura de entre 60 y 90 centímetros.",
        },
        { pageBreak: true },
        { heading: "Uso y cuidado" },
        {
          text: "El filtro situado tras la tapa inferior se limpia cada dos meses. Si aparece mal olor, ejecute un ciclo en vacío a 90 grados con vinagre. La puerta permanece bloqueada dos minutos después de terminar el programa. El programa Eco consume 0,6 kilovatios hora.",
        },
        { pageBreak: true },
        { heading: "Garantía" },
        {
          text: "El fabricante responde durante tres años de los defectos de material. El motor está cubierto diez años. No se atienden averías causadas por la cal ni por el uso en comercios. Para solicitar la visita del técnico hace falta el justificante de compra.",
        },
      ],
    },
    {
      id: "es-residencia",
      title: "Residencia universitaria Los Olmos: guía del residente",
      layout: "letter",
      blocks: [
        {
          text: "Las habitaciones se entregan a partir del 1 de septiembre. La mensualidad asciende a 610 euros e incluye desayuno, luz y calefacción. La fianza equivale a un mes y se reintegra si la estancia termina sin desperfectos.",
        },
        { pageBreak: true },
        {
          text: "Las visitas pueden permanecer hasta las once de la noche. Para pernoctar deben inscribirse en conserjería y abonar 12 euros. El comedor sirve la cena de ocho a diez; quien llegue más tarde puede pedir que se le guarde el plato.",
        },
        { pageBreak: true },
        {
          text: "La sala de estudio permanece abierta toda la noche. El gimnasio exige un certificado médico. Quien abandone la residencia antes de junio debe avisar con dos meses de antelación o perderá la fianza. Las bicicletas se guardan en el sótano.",
        },
      ],
    },
  ],
  questions: [
    ...ask(
      "es-piscina",
      [
        ["¿Cuánto me sale si voy a nadar muchas veces?", "el abono de diez baños, 33 euros"],
        ["¿Mi bebé tiene que pagar?", "Los menores de cuatro años acceden gratis"],
        ["¿Dónde podemos tomarnos el bocadillo?", "existe un merendero junto a la salida norte"],
        ["Se puso a tronar y nos echaron, ¿me dan otra entrada?", "no se devuelve el importe"],
        [
          "Me dejé las gafas allí hace una semana, ¿las habrán tirado?",
          "se conservan en la taquilla durante un mes",
        ],
        ["¿Hace falta taparse el pelo?", "llevar gorro"],
      ],
      "es",
    ),
    ...ask(
      "es-lavadora",
      [
        ["¿Por qué se mueve tanto mi lavadora nueva?", "Retire los tornillos de transporte"],
        ["La ropa sale apestando, ¿qué hago?", "ejecute un ciclo en vacío a 90 grados con vinagre"],
        ["Ha acabado y no puedo sacar la ropa", "La puerta permanece bloqueada dos minutos"],
        ["¿Cuánta ropa cabe?", "La carga máxima es de ocho kilos"],
        ["Se ha roto a los dos años, ¿me la arreglan gratis?", "El fabricante responde durante tres años"],
        [
          "¿Qué papel me van a pedir para que venga alguien a repararla?",
          "hace falta el justificante de compra",
        ],
      ],
      "es",
    ),
    ...ask(
      "es-residencia",
      [
        ["¿Puede quedarse a dormir mi novia?", "Para pernoctar deben inscribirse en conserjería"],
        ["¿Tengo que pagar aparte la electricidad?", "incluye desayuno, luz y calefacción"],
        ["Salgo de clase muy tarde, ¿me quedo sin comer?", "puede pedir que se le guarde el plato"],
        ["Me quiero ir en Navidad, ¿qué pasa con mi depósito?", "debe avisar con dos meses de antelación"],
        [
          "¿Hay un sitio para preparar los exámenes de madrugada?",
          "La sala de estudio permanece abierta toda la noche",
        ],
        ["¿Qué me piden para hacer pesas?", "El gimnasio exige un certificado médico"],
      ],
      "es",
    ),
  ],
};
