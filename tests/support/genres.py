"""Small documents of many genres, made by hand: what people ask of them has nothing to do with any benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records.pages import BlockKind

Blocks = Sequence[tuple[BlockKind, str]]

LEASE: Blocks = (
    ("heading", "Residential lease, 14 Mill Lane"),
    ("heading", "1 Term and rent"),
    ("paragraph", "The lease begins on 1 March 2024 and runs for 24 months."),
    ("paragraph", "The monthly rent is £950 and is due on the fifth day of each month."),
    ("paragraph", "The tenant pays a deposit of £1,900 before moving in."),
    ("heading", "2 Notice"),
    ("paragraph", "The notice period is two months. Notice must be given in writing."),
    ("heading", "3 Use"),
    ("paragraph", "The tenant may keep one cat but shall not keep a dog."),
    ("paragraph", "The tenant must not sublet the flat unless the landlord agrees in writing."),
    ("paragraph", "The landlord may enter the flat on 24 hours' notice. Smoking is not permitted in the hallway."),
    ("paragraph", "The tenant need not repaint the walls at the end of the term."),
    ("heading", "4 Repairs"),
    ("paragraph", "The landlord is responsible for the following repairs:"),
    ("list_item", "(a) the roof and the outer walls;"),
    ("list_item", "(b) the boiler and the pipes, unless the tenant has damaged them; and"),
    ("list_item", "(c) the windows."),
    ("paragraph", "Repairs are begun within 14 days. The tenant reports damage to the office."),
    ("paragraph", "In this lease, fixtures means things that are fastened to the walls or the floor."),
)
RECIPE: Blocks = (
    ("heading", "Lemon drizzle cake"),
    ("paragraph", "Serves 10 people. The cake is baked at 180 °C for 45 minutes."),
    ("heading", "Ingredients"),
    ("paragraph", "For the cake you need the following ingredients:"),
    ("list_item", "• 225 g of soft butter"),
    ("list_item", "• 225 g of caster sugar"),
    ("list_item", "• 4 eggs"),
    ("list_item", "• the zest of 2 lemons"),
    ("heading", "Method"),
    ("paragraph", "Make the cake as follows:"),
    ("list_item", "1. Heat the oven. Line a loaf tin with paper."),
    ("list_item", "2. Beat the butter and the sugar, then add the eggs one by one."),
    ("list_item", "3. Bake the cake until a skewer comes out clean."),
    ("paragraph", "The cake keeps for three days in a tin. It freezes well."),
)
MANUAL: Blocks = (
    ("heading", "ROTOR(1)"),
    ("heading", "NAME"),
    ("paragraph", "rotor - rotates, compresses and mails log files"),
    ("heading", "OPTIONS"),
    ("paragraph", "-f, --force tells rotor to rotate the logs even if it thinks that this is not needed."),
    ("paragraph", "-s, --state FILE tells rotor to keep its state in FILE; the default is /var/lib/rotor/status."),
    ("paragraph", "A log file that is larger than 100 MB is rotated at once. Logs are kept for 30 days by default."),
    ("heading", "EXIT STATUS"),
    ("table", "Code\tMeaning\n0\tAll went well\n1\tA log could not be read\n2\tThe state file is locked"),
    ("heading", "DEFINITIONS"),
    ("paragraph", "State file: the file in which rotor writes down when each log was rotated last."),
)
STATUTE: Blocks = (
    ("heading", "Allotments Act"),
    ("heading", "1 Interpretation"),
    (
        "paragraph",
        "In this Act, “allotment garden” means a plot that is tilled by its occupier for his own table.",
    ),
    ("heading", "2 Size"),
    ("paragraph", "An allotment garden must not exceed 1,000 square metres."),
    ("paragraph", "A permit is required for a shed that is larger than 12 square metres."),
    ("heading", "3 Offences"),
    ("paragraph", "A person who sells produce without a licence is liable to a fine of up to £500."),
    ("heading", "4 Exemptions"),
    ("paragraph", "No permit is required for a greenhouse. A fence must be approved where it is higher than 2 m."),
)
MINUTES: Blocks = (
    ("heading", "Minutes of the parish council, 12 May 2023"),
    ("paragraph", "Present: Mary Oakes (chair), Ben Tull, Priya Nair. Apologies: John Washington."),
    ("heading", "1 Footbridge"),
    ("paragraph", "The council agreed to close the footbridge from 1 June until 30 September."),
    ("paragraph", "The repair will cost £18,400. Ben Tull will ask three firms for offers by 26 May."),
    ("heading", "2 Playground"),
    ("paragraph", "The council did not approve the new swings, since the offer came too late."),
    ("paragraph", "Priya Nair proposed that the slide be painted. This was carried by five votes to two."),
)
DATASHEET: Blocks = (
    ("heading", "PX-40 submersible pump"),
    ("heading", "Ratings"),
    ("caption", "Table 1 - Ratings of the PX-40"),
    (
        "table",
        "Parameter\tValue\nSupply voltage\t24 V\nMaximum current\t3.5 A\nCable length\t5 m\nWeight\t2.4 kg\n"
        "Delivery head\t8 m",
    ),
    ("heading", "Limits"),
    (
        "table",
        "Quantity\tMin\tMax\tUnit\nWater temperature\t-5\t35\t°C\nBattery load\t2\t9\tkg",
    ),
    ("heading", "Notes"),
    ("paragraph", "The pump must not run dry for more than 30 seconds. It is suitable for water up to 35 °C."),
    ("paragraph", "Before cleaning, the pump must be disconnected from the supply."),
)
LEAFLET: Blocks = (
    ("heading", "Norvalin 50 mg tablets"),
    ("heading", "1 What Norvalin is"),
    ("paragraph", "Norvalin is a medicine that lowers the blood pressure."),
    ("heading", "2 Before you take it"),
    ("paragraph", "Do not take Norvalin if you are allergic to soya. Norvalin may be taken with food."),
    ("paragraph", "Tell your doctor if you have any of the following:"),
    ("list_item", "- asthma,"),
    ("list_item", "- a weak heart,"),
    ("list_item", "- kidney stones."),
    ("heading", "3 How to take it"),
    ("paragraph", "The usual dose is 50 mg once a day. Children under 12 years should not take Norvalin."),
    ("paragraph", "If you forget a dose, do not take a double dose."),
    ("heading", "4 Side effects"),
    ("paragraph", "Common side effects (fewer than 1 in 10 people) are a dry mouth and a headache."),
    ("heading", "5 Storage"),
    ("paragraph", "Store the tablets below 25 °C. They may be used for 6 months after opening."),
)
CONTRACT: Blocks = (
    ("heading", "Agreement on the supply of software"),
    ("heading", "1 Definitions"),
    ("paragraph", "“Business Day” means a day other than a Saturday, a Sunday or a public holiday in Norway."),
    ("paragraph", "“Deliverable” means any item that the Supplier hands over under this Agreement."),
    ("heading", "2 Payment"),
    ("paragraph", "The Customer shall pay each invoice within 30 days. Late sums bear interest of 4 % a year."),
    ("heading", "3 Liability"),
    ("paragraph", "The Supplier is not liable for loss of profit. Its liability is limited to EUR 250,000."),
    ("heading", "4 Termination"),
    ("paragraph", "Either party may terminate this Agreement on 90 days' notice."),
    ("paragraph", "The Supplier shall not assign this Agreement without the consent of the Customer."),
    ("heading", "5 Order"),
    ("paragraph", "In the event of any conflict, this Agreement prevails over earlier orders."),
)
BY_LAW: Blocks = (
    ("heading", "Dog by-law"),
    ("heading", "1 Definitions"),
    (
        "paragraph",
        "In this by-law: (a) “owner” means a person who keeps a dog; (b) “leash” means a line of no more than 2 m.",
    ),
    ("heading", "2 Duties"),
    ("paragraph", "A dog shall not be left alone for more than 4 hours."),
    ("heading", "3 Exceptions"),
    ("paragraph", "The duties of this by-law do not apply to the following dogs:"),
    ("list_item", "(a) police dogs;"),
    ("list_item", "(b) guide dogs; and"),
    ("list_item", "(c) dogs that are trained:"),
    ("list_item", "(i) by a trainer, or"),
    ("list_item", "(ii) by a club."),
)
ROUTER: Blocks = (
    ("heading", "AX5 router"),
    ("heading", "Reset"),
    ("paragraph", "To reset the router, do the following:"),
    ("list_item", "1. Unplug the cable."),
    ("list_item", "2. Hold the button for 10 seconds."),
    ("paragraph", "The light turns green."),
    ("list_item", "3. Plug in the cable."),
    ("heading", "Ports"),
    ("paragraph", "The AX5 has four LAN ports and one WAN port."),
    ("heading", "Lights"),
    ("table", "Light\tMeaning\nGreen\tOnline\nRed\tNo signal\nBlue\tUpdating"),
)
TRIAL: Blocks = (
    ("heading", "Trial of Senforal"),
    ("paragraph", "We enrolled 214 patients in 6 hospitals. Patients were followed for 12 months."),
    ("paragraph", "Nausea was more frequent in the treated group (9 %) than in the control group (4 %)."),
)
LOG: Blocks = (
    ("heading", "Harbour log"),
    ("paragraph", "The harbour was closed on Monday after the storm."),
    ("paragraph", "The ferry was late because of fog on Monday."),
    ("paragraph", "The crane stood still since its motor had burnt out."),
)
GENRES = {
    "lease.pdf": LEASE,
    "cake.md": RECIPE,
    "rotor.1.txt": MANUAL,
    "allotments_act.pdf": STATUTE,
    "minutes.docx": MINUTES,
    "px40.pdf": DATASHEET,
    "norvalin.pdf": LEAFLET,
    "supply_agreement.pdf": CONTRACT,
    "dog_bylaw.pdf": BY_LAW,
    "ax5.html": ROUTER,
    "senforal.pdf": TRIAL,
    "harbour_log.txt": LOG,
}
