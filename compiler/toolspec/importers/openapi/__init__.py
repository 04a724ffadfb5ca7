"""Importer of OpenAPI 3.0, 3.1 and 3.2: from documents to the services that call their operations."""
