"""What only worker processes load: many conversations held in one asyncio loop, saved turn by turn."""
